import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { nameAuthors } from '../users/index.ts';
import { collectionAnswer } from './collection.ts';
import { DEFAULT_PAGE_SIZE, type TrashedCollection, type TrashedEntry } from './contract.ts';
import { answerValues, entryAnswer } from './entry-answer.ts';
import { type KnownCollections, STALE } from './known-collections.ts';
import { listDeletedCollections, listDeletedEntries } from './trash-queries.ts';

interface Paging {
  pageSize?: number;
  pageToken?: string;
}

/** When what the page before ended with was deleted, and its id. */
type Place = [deletedAt: string, id: string];

const START: Place = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const COUNTED = 1_000;

/** Deleted collections of an account, the last deleted first. */
export async function listCollectionTrash(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  query: Paging,
): Promise<{ collections: TrashedCollection[]; nextPageToken: string | null }> {
  const page = pageOf(pageTokens, [accountId, 'trash'], query);
  const rows = await listDeletedCollections(tx, accountId, ...page.place, page.limit, COUNTED);
  const collections = page.shown(rows).map((row) => ({
    ...collectionAnswer(row),
    deletedAt: isoTime(row.updated_at),
    entryCount: row.entry_count,
  }));
  return { collections, nextPageToken: page.next(rows) };
}

/** Deleted entries of a collection, the last deleted first. @throws ApiError 404 */
export async function listEntryTrash(
  tx: Tx,
  known: KnownCollections,
  pageTokens: PageTokens,
  accountId: string,
  collectionId: string,
  query: Paging,
  publicUrl: string,
): Promise<{ entries: TrashedEntry[]; nextPageToken: string | null }> {
  return known.use(tx, accountId, collectionId, async (collection) => {
    const page = pageOf(pageTokens, [accountId, collection.id, 'trash'], query);
    const found = await listDeletedEntries(tx, accountId, collection.id, collection.version, ...page.place, page.limit);
    if (found.length === 0) return STALE;
    const rows = found.filter(({ id }) => id !== null);
    const shown = page.shown(rows);
    const stored = shown.map((row) => JSON.parse(row.values));
    const values = await answerValues(tx, accountId, collection, stored, publicUrl);
    const authors = await nameAuthors(tx, accountId, shown);
    const entries = shown.map((row, i) => ({
      ...entryAnswer(collection, row, values[i] ?? {}),
      deletedAt: isoTime(row.updated_at),
      deletedBy: authors[i] ?? null,
    }));
    return { entries, nextPageToken: page.next(rows) };
  });
}

function pageOf(
  pageTokens: PageTokens,
  scope: readonly unknown[],
  { pageSize = DEFAULT_PAGE_SIZE, pageToken }: Paging,
) {
  const place = pageToken ? (pageTokens.read(scope, pageToken) as Place) : START;
  return {
    place,
    // One more than the page holds tells whether there is a next one.
    limit: pageSize + 1,
    shown: <Row>(rows: Row[]) => rows.slice(0, pageSize),
    next(rows: { id: string; updated_at: Date }[]): string | null {
      const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
      return last ? pageTokens.write(scope, [isoTime(last.updated_at), last.id]) : null;
    },
  };
}
