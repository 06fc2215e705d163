import { releaseAssets } from '../files/index.ts';
import { notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { collectionAnswer, isActive } from './collection.ts';
import type { Collection } from './contract.ts';
import { notDeleted } from './purge-entry.ts';
import { lockCollection } from './queries.ts';
import {
  claimPurge,
  dropBackfills,
  entriesToPurge,
  markPurging,
  purgeAnyEntries,
  purgeIndex,
  removeCollection,
} from './trash-queries.ts';

/**
 * Removes a deleted collection for good: it is gone at once, and a worker takes away what it held. Answers what it was.
 * @throws ApiError 404; 400 `not_deleted` for one that is active
 */
export async function purgeCollection(tx: Tx, accountId: string, collectionId: string): Promise<Collection> {
  const id = parseId('col', collectionId);
  const [row] = id === undefined ? [] : await lockCollection(tx, accountId, id);
  if (!row) throw notFound('collection');
  if (isActive(row)) throw notDeleted('collection');
  await markPurging(tx, accountId, row.id);
  return collectionAnswer(row);
}

/** How much is removed in one transaction. */
export interface Piece {
  entries: number;
  indexRows: number;
}

/**
 * Takes away the next piece of some collection that is being removed; its row goes last. Any number of processes may, each
 * collection is one's at a time. False: there is nothing to do.
 */
export async function purgePiece(db: Database, piece: Piece, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [claimed] = await claimPurge(tx);
    if (!claimed) return false;
    const { account_id: accountId, id, fields } = claimed;
    const fieldKeys = fields.map(({ key }) => key);
    await dropBackfills(tx, accountId, fieldKeys);
    const [index] = await purgeIndex(tx, accountId, fieldKeys, piece.indexRows);
    if ((index?.count ?? 0) > 0) return true;
    const entries = (await entriesToPurge(tx, accountId, id, piece.entries)).map((entry) => entry.id);
    if (entries.length > 0) {
      await releaseAssets(tx, accountId, entries, now);
      await purgeAnyEntries(tx, accountId, entries);
    } else {
      await removeCollection(tx, accountId, id);
    }
    return true;
  });
}
