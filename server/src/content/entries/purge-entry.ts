import { deleteEntryUses } from '../../files/index.ts';
import { notFound } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isActive } from '../collections/collection.ts';
import { notDeleted } from '../collections/purge-collection.ts';
import { STALE } from '../collections/stale.ts';
import { deleteEntryRows } from '../history/trash-queries.ts';
import { requireAction } from '../roles/permitted.ts';
import type { Entry } from './contract.ts';
import { serializeEntry, serializeValues } from './serialize-entry.ts';
import { type EntryPath, lockEntry } from './update-entry.ts';
import type { CachedWriteContext } from './write-context.ts';

/**
 * Deletes a deleted entry permanently, with its versions and its uses of assets. Returns the entry as it was.
 * @throws ApiError 404; 400 `not_deleted` if it is active
 */
export async function purgeEntry(
  tx: Tx,
  { cache, author, now, publicUrl }: CachedWriteContext,
  path: EntryPath,
): Promise<Entry> {
  const { accountId } = author;
  return cache.use(tx, accountId, path.collectionId, async (collection) => {
    const row = await lockEntry(tx, accountId, collection, path.entryId);
    if (!row) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    if (isActive(row)) throw notDeleted('entry');
    await requireAction(tx, accountId, collection, 'delete', [row.id]);
    const [values = {}] = await serializeValues(tx, accountId, collection, [readJson(row.values)], publicUrl);
    await deleteEntryUses(tx, accountId, [row.id], now);
    await deleteEntryRows(tx, { account_id: accountId, ids: [row.id] });
    return serializeEntry(collection, row, values);
  });
}
