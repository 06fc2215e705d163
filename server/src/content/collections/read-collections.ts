import { notFound } from '../../shared/errors.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { parseId, publicId, uuidTime } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../contract.ts';
import { countEntries } from '../listing/count-entries.ts';
import { listingOf } from '../listing/parse-listing.ts';
import { conditionOf } from '../roles/collection-access.ts';
import type { SchemaView } from './collection.ts';
import { type CollectionRow, isActive, serializeCollection } from './collection.ts';
import { countEntriesByCollection, findCollection, listCollectionRows } from './queries.ts';

/** @throws ApiError 404 if the collection is deleted, unless `includeDeleted` */
export async function getCollection(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  collectionId: string,
  includeDeleted: boolean,
): Promise<Collection> {
  const id = parseId('col', collectionId);
  const [row] = id === undefined ? [] : await findCollection(tx, { account_id: accountId, id });
  if (!row || !(isActive(row) || includeDeleted)) throw notFound('collection');
  const [shown] = await visibleRows(tx, schema, accountId, [row]);
  if (!shown) throw notFound('collection');
  return serializeCollection(shown);
}

/** The active collections of an account, oldest first. */
export async function listCollections(
  tx: Tx,
  schema: SchemaView,
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
  const rows = await visibleRows(tx, schema, accountId, page.rows);
  return { collections: rows.map(serializeCollection), nextPageToken: page.nextPageToken };
}

/** What a role may see of collections: those that it reads, with the fields that it reads. Whoever changes the schema sees all. */
async function visibleRows<Row extends CollectionRow>(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  rows: readonly Row[],
): Promise<CollectionRow[]> {
  if (!schema.access || schema.access.features.schema === 'write') return [...rows];
  const visible: CollectionRow[] = [];
  for (const row of rows) {
    const view = await schema.read(tx, accountId, row);
    if (view) visible.push(view.row);
  }
  return visible;
}

/** How many active entries each collection has, up to a limit: those that the reader may read. */
export async function countVisible(
  tx: Database,
  schema: SchemaView,
  account_id: string,
  limit: number,
): Promise<{ collectionId: string; entries: number }[]> {
  const rows = await countEntriesByCollection(tx, { account_id, limit });
  const counts = rows.map(({ id, count }) => ({ collectionId: publicId('col', id), entries: count }));
  if (!schema.access) return counts;
  const ids = counts.map(({ collectionId }) => collectionId);
  const visible = new Map((await schema.loadCurrent(tx, account_id, ids, false)).map((view) => [view.publicId, view]));
  const own: typeof counts = [];
  for (const count of counts) {
    const view = visible.get(count.collectionId);
    if (!view) continue;
    const where = conditionOf(view, 'read');
    const scope = { accountId: account_id, collectionId: view.id, version: view.version };
    const entries = where ? await countEntries(tx, scope, view, listingOf(where)) : count.entries;
    own.push({ ...count, entries: Math.min(entries, limit) });
  }
  return own;
}
