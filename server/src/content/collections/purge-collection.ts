import { deleteEntryUses } from '../../files/index.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../contract.ts';
import { releaseFields } from '../entries/unique-keys.ts';
import {
  claimPurge,
  deleteBackfills,
  deleteCollectionRow,
  deleteEntriesWithTexts,
  deleteIndexRows,
  listEntriesToPurge,
  markPurging,
} from '../history/trash-queries.ts';
import { purgePublished } from '../publishing/queries.ts';
import { deleteViewsOf } from '../views/queries.ts';
import { isActive, serializeCollection } from './collection.ts';
import { everyField } from './field.ts';
import { lockCollection } from './queries.ts';

/**
 * Deletes a deleted collection permanently. It disappears at once; a worker removes its contents.
 * @throws ApiError 404; 400 `not_deleted` if it is active
 */
export async function purgeCollection(tx: Tx, accountId: string, collectionId: string): Promise<Collection> {
  const id = parseId('col', collectionId);
  const [row] = id === undefined ? [] : await lockCollection(tx, { account_id: accountId, id });
  if (!row) throw notFound('collection');
  if (isActive(row)) throw notDeleted('collection');
  await markPurging(tx, { account_id: accountId, id: row.id });
  return serializeCollection(row);
}

export function notDeleted(what: string) {
  return badRequest('not_deleted', `Only a deleted ${what} can be deleted permanently. Delete it first.`);
}

/** How much is removed in one transaction. */
export interface PurgeLimits {
  entries: number;
  indexRows: number;
}

/**
 * Removes the next part of a collection that was deleted permanently; its own row goes last. Any number of processes can
 * run it; each collection is worked on by one at a time. Returns false if there is nothing to do.
 */
export async function purgeNext(db: Database, limits: PurgeLimits, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [claimed] = await claimPurge(tx);
    if (!claimed) return false;
    const { account_id, id, fields, settings } = claimed;
    const fieldKeys = {
      account_id,
      field_keys: [...everyField(fields), ...(settings?.uniqueTogether ?? [])].flatMap(({ key, publishedKey = [] }) =>
        [key, publishedKey].flat(),
      ),
    };
    await deleteBackfills(tx, fieldKeys);
    await releaseFields(tx, fieldKeys);
    const [deleted] = await deleteIndexRows(tx, { ...fieldKeys, limit: limits.indexRows });
    if ((deleted?.count ?? 0) > 0) return true;
    const entries = await listEntriesToPurge(tx, { account_id, collection_id: id, limit: limits.entries });
    if (entries.length > 0) {
      const entryIds = entries.map((entry) => entry.id);
      await deleteEntryUses(tx, account_id, entryIds, now);
      await purgePublished(tx, { account_id, ids: entryIds });
      await deleteEntriesWithTexts(tx, { account_id, ids: entryIds });
    } else {
      await deleteViewsOf(tx, { account_id, collection_id: id });
      await deleteCollectionRow(tx, { account_id, id });
    }
    return true;
  });
}
