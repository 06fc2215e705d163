import type { Tx } from '../../shared/postgres/database.ts';
import { readBinary } from '../../shared/postgres/driver/binary-rows.ts';
import type { Collection } from '../collections/collection.ts';
import { conditionsOf } from '../listing/find-page.ts';
import type { Scope } from '../listing/key-sql.ts';
import { PageRow } from '../listing/page-request.ts';
import { gatherSql } from '../listing/page-sql.ts';
import type { Listing } from '../listing/parse-listing.ts';
import { nameOf } from '../listing/statement-names.ts';
import type { SortKey } from './parse-sort.ts';
import { type FindTargets, sortRows } from './sorted-page.ts';

const CHUNK = 1_000;

/**
 * Those of these entries (UUIDs) that a listing has, in the order of its sort keys, by default the oldest first.
 * @returns undefined if the collection is not at the version of the scope anymore
 */
export async function findAmong(
  tx: Tx,
  scope: Scope,
  collection: Collection,
  listing: Listing,
  ids: readonly string[],
  sortKeys: readonly SortKey[] | undefined,
  findTargets: FindTargets,
): Promise<PageRow[] | undefined> {
  const conditions = conditionsOf(collection, listing, listing.keyFilters);
  const all: PageRow[] = [];
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK);
    const request = { scope, source: { by: 'created_at' as const }, descending: false, conditions, cursor: undefined };
    const { text, values } = gatherSql({ ...request, limit: chunk.length }, chunk);
    const rows = await readBinary(tx, { name: nameOf(text), text, values }, PageRow);
    if (rows.length === 0) return undefined;
    all.push(...rows.filter(({ matches, isThere }) => matches && isThere));
  }
  return sortKeys ? sortRows(all, sortKeys, collection, findTargets) : all;
}
