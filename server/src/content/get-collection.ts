import { notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { collectionAnswer, isActive } from './collection.ts';
import type { Collection } from './contract.ts';
import { findCollection } from './queries.ts';

/** @throws ApiError 404, for a deleted collection, too, unless `includeDeleted` */
export async function getCollection(
  tx: Tx,
  accountId: string,
  collectionId: string,
  includeDeleted: boolean,
): Promise<Collection> {
  const id = parseId('col', collectionId);
  const [row] = id === undefined ? [] : await findCollection(tx, accountId, id);
  if (!row || !(isActive(row) || includeDeleted)) throw notFound('collection');
  return collectionAnswer(row);
}
