import { notFound } from '../../shared/errors.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { parseId, uuidTime } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../contract.ts';
import { isActive, serializeCollection } from './collection.ts';
import { findCollection, listCollectionRows } from './queries.ts';

/** @throws ApiError 404 if the collection is deleted, unless `includeDeleted` */
export async function getCollection(
  tx: Tx,
  accountId: string,
  collectionId: string,
  includeDeleted: boolean,
): Promise<Collection> {
  const id = parseId('col', collectionId);
  const [row] = id === undefined ? [] : await findCollection(tx, { account_id: accountId, id });
  if (!row || !(isActive(row) || includeDeleted)) throw notFound('collection');
  return serializeCollection(row);
}

/** The active collections of an account, oldest first. */
export async function listCollections(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  query: { pageSize?: number; pageToken?: string },
): Promise<{ collections: Collection[]; nextPageToken: string | null }> {
  const scope = [accountId, '/v1/cms/collections'];
  const page = await pageById(pageTokens, scope, query, 'oldest first', (after, limit) =>
    listCollectionRows(tx, {
      account_id: accountId,
      after_created_at: new Date(uuidTime(after)),
      after_id: after,
      limit,
    }),
  );
  return { collections: page.rows.map(serializeCollection), nextPageToken: page.nextPageToken };
}
