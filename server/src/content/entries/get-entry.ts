import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { Entry } from './contract.ts';
import { type EntryRow, findEntry } from './queries.ts';
import { serializeEntry, serializeValues } from './serialize-entry.ts';
import type { EntryPath } from './update-entry.ts';

/** @throws ApiError 404 if the entry is deleted, unless `includeDeleted` */
export async function getEntry(
  tx: Tx,
  cache: SchemaView,
  accountId: string,
  path: EntryPath,
  includeDeleted: boolean,
  publicUrl: string,
): Promise<Entry> {
  return useEntry(tx, cache, accountId, path, includeDeleted, async (collection, row) => {
    const stored = [readJson(row.values)];
    const [values = {}] = await serializeValues(tx, accountId, collection, stored, publicUrl);
    return serializeEntry(collection, row, values);
  });
}

/** Runs an operation with an entry and its collection. @throws ApiError 404, as `getEntry` */
export function useEntry<T>(
  tx: Tx,
  cache: SchemaView,
  accountId: string,
  path: EntryPath,
  includeDeleted: boolean,
  operation: (collection: Collection, entry: EntryRow) => Promise<T>,
): Promise<T> {
  return cache.use<T>(tx, accountId, path.collectionId, async (collection) => {
    const id = parseId('ent', path.entryId);
    const entry = id === undefined ? undefined : await findEntry(tx, accountId, collection, id);
    if (!entry || !(isActive(entry) || includeDeleted)) throw notFound('entry');
    return entry.collection_version === collection.version ? operation(collection, entry) : STALE;
  });
}
