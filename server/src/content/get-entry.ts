import { notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isActive } from './collection.ts';
import type { Entry } from './contract.ts';
import { answerValues, entryAnswer } from './entry-answer.ts';
import { type KnownCollections, STALE } from './known-collections.ts';
import { findEntry } from './queries.ts';

/** @throws ApiError 404, for a deleted entry, too, unless `includeDeleted` */
export async function getEntry(
  tx: Tx,
  known: KnownCollections,
  accountId: string,
  path: { collectionId: string; entryId: string },
  includeDeleted: boolean,
  publicUrl: string,
): Promise<Entry> {
  return known.use(tx, accountId, path.collectionId, async (collection) => {
    const id = parseId('ent', path.entryId);
    const [row] = id === undefined ? [] : await findEntry(tx, accountId, collection.id, id);
    if (!row || !(isActive(row) || includeDeleted)) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    const [values = {}] = await answerValues(tx, accountId, collection, [JSON.parse(row.values)], publicUrl);
    return entryAnswer(collection, row, values);
  });
}
