import { recordEntryUses } from '../files/index.ts';
import { newUuid, uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { acceptValues } from './accept-values.ts';
import { checkNewValues, type Values } from './check-values.ts';
import { isActive } from './collection.ts';
import type { Entry } from './contract.ts';
import { answerValues, assetIdsOf, entryAnswer } from './entry-answer.ts';
import { keysOf, rowsOf, textOf } from './index-entry.ts';
import { STALE } from './known-collections.ts';
import { insertEntry } from './queries.ts';
import { signatureOf } from './signature.ts';
import type { Writing } from './writing.ts';

/**
 * Makes an entry: one statement, once its collection is known.
 * @throws ApiError 404 where there is no such active collection, 400 with every fault of the values
 */
export async function createEntry(
  tx: Tx,
  { known, author, now, publicUrl }: Writing,
  collectionId: string,
  sent: Values,
): Promise<Entry> {
  const { accountId } = author;
  return known.use(tx, accountId, collectionId, async (collection) => {
    const values = await acceptValues(tx, accountId, checkNewValues(collection, sent));
    const keys = keysOf(collection, values);
    const rows = rowsOf(keys, collection.fields.filter(isActive));
    const id = newUuid(now);
    const createdAt = new Date(uuidTime(id));
    const [answered = {}] = await answerValues(tx, accountId, collection, [values], publicUrl);
    const row = { id, status: 'active' as const, version: 1, created_at: createdAt, updated_at: createdAt };
    const entry = entryAnswer(collection, row, answered);
    const [inserted] = await insertEntry(
      tx,
      accountId,
      collection.id,
      collection.version,
      id,
      JSON.stringify(values),
      JSON.stringify(keys),
      createdAt,
      rows.map(([fieldKey]) => fieldKey),
      rows.map(([, sortKey]) => sortKey),
      textOf(collection, values) ?? null,
      signatureOf(collection.fields, keys),
      JSON.stringify({ ...entry, values: undefined }),
      answered === values ? null : JSON.stringify(answered),
      author.kind,
      author.id,
    );
    if (!inserted) return STALE;
    if (collection.hasAssets) {
      const assetIds = assetIdsOf(collection.fields, values);
      await recordEntryUses(tx, accountId, [{ entryId: id, collectionId: collection.id, active: true, assetIds }], now);
    }
    return entry;
  });
}
