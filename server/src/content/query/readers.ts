import { type Fault, refuse } from '../../shared/errors.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { type Collection, type SchemaView, stateView } from '../collections/collection.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import type { Scope } from '../listing/key-sql.ts';
import { type Listing, listingFrom, type ParsedListing, parseListing } from '../listing/parse-listing.ts';
import type { Reader } from './parse-where.ts';
import { resolveReferences } from './resolve-references.ts';
import { type FindVisible, withVisibleReferences } from './visible-references.ts';

/** Reads current collections. */
export const freshReader = (tx: Tx, schema: SchemaView, accountId: string, state: 'draft' | 'published'): Reader => ({
  isPublic: false,
  load: async (ids) => (await schema.loadCurrent(tx, accountId, ids, true)).map(stateView(state)),
});

export interface ReaderOptions {
  cache: SchemaView;
  accountId: string;
  /** The collection as its entries are read; undefined if they cannot be. */
  viewOf(stored: Collection): Collection | undefined;
  isPublic: boolean;
}

/** Parses with cached collections, and again with current ones if it finds a fault. @throws ApiError 400 with every fault */
export async function parseAsRead<T>(
  tx: Tx,
  { cache, accountId, viewOf, isPublic }: ReaderOptions,
  parse: (reader: Reader, faults: Fault[]) => Promise<T>,
): Promise<T> {
  const attempt = async (isFresh: boolean) => {
    const faults: Fault[] = [];
    const load = async (ids: readonly string[]) =>
      (await cache.loadCurrent(tx, accountId, ids, isFresh)).flatMap((stored) => viewOf(stored) ?? []);
    return { result: await parse({ isPublic, load }, faults), faults };
  };
  const cached = await attempt(false);
  if (cached.faults.length === 0) return cached.result;
  const { result, faults } = await attempt(true);
  refuse(faults);
  return result;
}

/** The listing of a parsed query, whose conditions on referenced entries are resolved as far as possible. */
export async function resolvedListing(
  db: Database,
  scope: Scope,
  parsed: ParsedListing,
  findVisible?: FindVisible,
): Promise<Listing> {
  let { where } = parsed;
  if (findVisible) where = await withVisibleReferences(db, scope.accountId, where, findVisible);
  return listingFrom({ ...parsed, where: await resolveReferences(db, scope, where) });
}

/** The faults of a listing that is read later. */
export async function findListingFaults(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  collection: Collection,
  query: EntriesQuery,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  await parseListing(collection, query, faults, freshReader(tx, schema, accountId, query.state ?? 'draft'));
  return faults;
}
