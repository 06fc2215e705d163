import { releaseAssets } from '../files/index.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isActive } from './collection.ts';
import type { Entry } from './contract.ts';
import { answerValues, entryAnswer } from './entry-answer.ts';
import { STALE } from './known-collections.ts';
import { lockEntry } from './queries.ts';
import { purgeEntries } from './trash-queries.ts';
import type { Writing } from './writing.ts';

/**
 * Removes a deleted entry for good, with its versions and what it says of files. Answers what it was.
 * @throws ApiError 404; 400 `not_deleted` for one that is active
 */
export async function purgeEntry(
  tx: Tx,
  { known, author, now, publicUrl }: Writing,
  path: { collectionId: string; entryId: string },
): Promise<Entry> {
  const { accountId } = author;
  return known.use(tx, accountId, path.collectionId, async (collection) => {
    const id = parseId('ent', path.entryId);
    const [row] = id === undefined ? [] : await lockEntry(tx, accountId, collection.id, id);
    if (!row) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    if (isActive(row)) throw notDeleted('entry');
    const [values = {}] = await answerValues(tx, accountId, collection, [JSON.parse(row.values)], publicUrl);
    await releaseAssets(tx, accountId, [row.id], now);
    await purgeEntries(tx, accountId, [row.id]);
    return entryAnswer(collection, row, values);
  });
}

export function notDeleted(what: string) {
  return badRequest('not_deleted', `Only a deleted ${what} can be removed for good. Delete it first.`);
}
