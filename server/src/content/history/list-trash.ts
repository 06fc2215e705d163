import type { Deps } from '../../shared/deps.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { LAST_ID } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { nameAuthors } from '../../users/index.ts';
import type { SchemaView } from '../collections/collection.ts';
import { serializeCollection } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { TrashedCollection, TrashedEntry } from '../entries/contract.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { readable } from '../roles/permitted.ts';
import {
  listDeletedCollections,
  listDeletedEntries,
  type TrashedCollectionRow,
  type TrashedEntryRow,
} from './trash-queries.ts';

interface PageQuery {
  pageSize?: number;
  pageToken?: string;
}

/** When the last item of a page was deleted, and its ID. */
type Cursor = [deletedAt: string, id: string];

const START: Cursor = ['infinity', LAST_ID];
const cursorOf = (row: { id: string; updated_at: Date }): Cursor => [isoTime(row.updated_at), row.id];

/** How many entries of a deleted collection are counted. */
const COUNT_LIMIT = 1_000;

/** The deleted collections of an account, most recently deleted first. */
export async function listTrashedCollections(
  tx: Tx,
  tokens: PageTokens,
  accountId: string,
  query: PageQuery,
): Promise<{ collections: TrashedCollection[]; nextPageToken: string | null }> {
  const { rows, nextPageToken } = await keysetPage<TrashedCollectionRow, Cursor>({
    tokens,
    scope: [accountId, 'trash'],
    query,
    read: ([before_updated_at, before_id] = START, limit) =>
      listDeletedCollections(tx, {
        account_id: accountId,
        before_updated_at,
        before_id,
        limit,
        count_limit: COUNT_LIMIT,
      }),
    positionOf: cursorOf,
  });
  const collections = rows.map((row) => ({
    ...serializeCollection(row),
    deletedAt: isoTime(row.updated_at),
    entryCount: row.entry_count,
  }));
  return { collections, nextPageToken };
}

/** The deleted entries of a collection, most recently deleted first. @throws ApiError 404 */
export async function listTrashedEntries(
  { db, control, pageTokens: tokens, publicUrl }: Deps,
  cache: SchemaView,
  accountId: string,
  collectionId: string,
  query: PageQuery,
): Promise<{ entries: TrashedEntry[]; nextPageToken: string | null }> {
  return cache.use(db, accountId, collectionId, async (collection) => {
    let isStale = false;
    const { rows: found, nextPageToken } = await keysetPage<TrashedEntryRow, Cursor>({
      tokens,
      scope: [accountId, collection.id, 'trash'],
      query,
      async read([before_updated_at, before_id] = START, limit) {
        const found = await listDeletedEntries(db, {
          account_id: accountId,
          collection_id: collection.id,
          collection_version: collection.version,
          before_updated_at,
          before_id,
          limit,
        });
        isStale = found.length === 0;
        return found.filter(({ id }) => id !== null);
      },
      positionOf: cursorOf,
    });
    if (isStale) return STALE;
    const rows = await readable(db, accountId, collection, found);
    const stored = rows.map((row) => readJson(row.values));
    const values = await serializeValues(db, accountId, collection, stored, publicUrl());
    const authors = await nameAuthors(control, accountId, rows);
    const entries = rows.map((row, i) => ({
      ...serializeEntry(collection, row, values[i] ?? {}),
      deletedAt: isoTime(row.updated_at),
      deletedBy: authors[i] ?? null,
    }));
    return { entries, nextPageToken };
  });
}
