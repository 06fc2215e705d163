import type { Database } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import { noteStrategy } from '../query/explain.ts';
import { entryCondition, isEmpty, lookupRows, type Sql } from './filter-sql.ts';
import { conditionsOf, isToldByIndex, smallestLookup } from './find-page.ts';
import { type KeyFilter, ListingParameters, type Scope } from './key-sql.ts';
import type { Listing } from './parse-listing.ts';
import { nameOf } from './statement-names.ts';

/** How many entries of a listing there are. */
export async function countEntries(
  db: Database,
  scope: Scope,
  collection: Collection,
  listing: Listing,
): Promise<number> {
  const { keyFilters, containsFilters, words, where } = listing;
  const [only] = keyFilters;
  const isAlone = keyFilters.length === 1 && containsFilters.length + words.length === 0 && !where;
  const byIndex = isAlone && only && isToldByIndex(only);
  if (byIndex) noteStrategy(db, 'count: the rows of an index condition');
  const { text, values } = byIndex ? rowsSql(scope, only) : await entriesSql(db, scope, collection, listing);
  const { rows } = await db.query<{ total: number }>({ name: nameOf(text), text, values });
  return rows[0]?.total ?? 0;
}

function rowsSql(scope: Scope, filter: KeyFilter): Sql {
  const parameters = new ListingParameters(scope);
  // PostgreSQL infers no type for a parameter that a statement does not use.
  const text = `select count(*)::integer as total from (${lookupRows(parameters, { filter })}) as found
    where ${parameters.collection} is not null`;
  return { text, values: parameters.values };
}

async function entriesSql(db: Database, scope: Scope, collection: Collection, listing: Listing): Promise<Sql> {
  const parameters = new ListingParameters(scope);
  const conditions = conditionsOf(collection, listing, listing.keyFilters);
  const lookup = await smallestLookup(db, scope, listing);
  const found = lookup && `e.id in (select unnest(array(${lookupRows(parameters, lookup)})))`;
  const matches = isEmpty(conditions) ? undefined : entryCondition(parameters, conditions, 'e');
  const all = [found, matches].filter((each) => each !== undefined);
  const text = `select count(*)::integer as total from ${parameters.entries} e
    where e.account_id = ${parameters.account} and e.collection_id = ${parameters.collection} and e.status = 'active'
    ${all.map((each) => `and (${each})`).join(' ')}`;
  return { text, values: parameters.values };
}
