import type { Database } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { countEntries } from '../listing/count-entries.ts';
import { findPage } from '../listing/find-page.ts';
import type { Scope } from '../listing/key-sql.ts';
import type { Cursor } from '../listing/page-request.ts';
import { type Listing, parseListing } from '../listing/parse-listing.ts';
import { localeView } from '../locales/locale-view.ts';
import { parseAsRead, resolvedListing } from '../query/readers.ts';
import type { ValueChange } from '../writes/contract.ts';

/** A query, and what becomes of the entries that match. */
export interface ChangeRequest {
  op: 'update' | 'delete';
  where: unknown;
  change: ValueChange;
  expect?: number;
  dryRun?: boolean;
}

/** Entries that match a query, the oldest first. */
export interface Matching {
  collection: Collection;
  scope: Scope;
  listing: Listing;
  /** UUIDs */
  ids: string[];
  /** Where the next page begins; undefined after the last one. */
  next: Cursor | undefined;
}

/** @throws ApiError 404; 400 with every fault of the query, or `query_too_expensive` */
export function findMatching(
  db: Database,
  cache: SchemaView,
  accountId: string,
  collectionId: string,
  where: unknown,
  after: Cursor | undefined,
  limit: number,
): Promise<Matching> {
  return cache.use(db, accountId, collectionId, async (stored): Promise<Matching | typeof STALE> => {
    const viewOf = (each: Collection) => localeView(each, undefined);
    const collection = viewOf(stored);
    const options = { cache, accountId, viewOf, isPublic: false };
    const parsed = await parseAsRead(db, options, (reader, faults) =>
      parseListing(collection, { where: where as never }, faults, reader),
    );
    const { id, version, publishing } = collection;
    const scope = {
      accountId,
      collectionId: id,
      version,
      state: publishing ? ('draft' as const) : undefined,
    };
    const listing = { ...(await resolvedListing(db, scope, parsed)), order: OLDEST_FIRST };
    const rows = await findPage(db, scope, collection, listing, after, limit);
    if (rows === undefined) return STALE;
    const ids = rows.flatMap(({ id, isThere }) => (isThere ? id : []));
    return { collection, scope, listing, ids, next: rows.length < limit ? undefined : rows.at(-1)?.cursor };
  });
}

export const countMatching = (db: Database, { scope, collection, listing }: Matching): Promise<number> =>
  countEntries(db, scope, collection, listing);

const OLDEST_FIRST = { by: 'createdAt' as const, descending: false };
