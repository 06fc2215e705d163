import { badRequest } from '../../shared/errors.ts';
import { BY_INDEX, type Database, type Tx } from '../../shared/postgres/database.ts';
import { readBinary } from '../../shared/postgres/driver/binary-rows.ts';
import type { Collection } from '../collections/collection.ts';
import { searchableFields } from '../entries/index-entry.ts';
import { sortsAlike } from '../field-types/index.ts';
import { indexKeyOf } from '../field-types/sort-key.ts';
import { noteStrategy } from '../query/explain.ts';
import { conjuncts, type Where } from '../query/where.ts';
import {
  type Conditions,
  collectSql,
  countSql,
  hasTrigram,
  type IndexLookup,
  isEmpty,
  type Sql,
} from './filter-sql.ts';
import { areIndexRanges, includesMissing, indexRanges, intersect, PRESENT, pointsOf } from './key-ranges.ts';
import { type KeyFilter, keysOf, type Scope } from './key-sql.ts';
import { type Cursor, type PageRequest, PageRow, type Source } from './page-request.ts';
import { gatherSql, lookupSql, pageSql } from './page-sql.ts';
import type { Listing } from './parse-listing.ts';
import { isPlain, pagesOf } from './plain-pages.ts';
import { nameOf } from './statement-names.ts';

/**
 * How many entries are read before another strategy is considered: if a filter finds no more, they are gathered and sorted;
 * if so many of an order do not fill the page, the next strategy is tried. Either takes 1 to 2 ms.
 */
const BOUND = 1_000;

/** A step of a walk reads an entry, and takes as long as this many steps through the index alone. */
const STEP_COST = 7;

/** How many index rows are counted at most to estimate a filter. */
const MAX_COUNTED = 50_000;

/** How many times `bound` entries that several filters have in common are gathered at most. */
const COMMON_FACTOR = 5;

/** How many steps a walk continues at most if there is a text to search for. */
const MAX_WALK = 4_000;

/**
 * Returns up to `limit` entries of a listing after the cursor; undefined if the collection is not at the given version
 * anymore.
 *
 * If an index has the order of the listing and there is nothing else to check, this is one statement. Otherwise it
 * is unknown whether few or many entries match (the statistics cover all collections together), so the strategies are tried
 * within bounds; see docs/decisions/0004-entry-index.md.
 */
export async function findPage(
  db: Database,
  scope: Scope,
  collection: Collection,
  listing: Listing,
  cursor: Cursor | undefined,
  limit: number,
  bound = BOUND,
): Promise<PageRow[] | undefined> {
  if (isPlain(listing)) {
    noteStrategy(db, 'page: in the order of time');
    return pagesOf(db).read({ scope, order: listing.order, limit, cursor });
  }
  const { source, filters, isNarrow } = chooseSource(collection, listing);
  const conditions = conditionsOf(collection, listing, filters);
  const request: PageRequest = { scope, source, descending: listing.order.descending, conditions, limit, cursor };
  const read = async (tx: Tx, sql: Sql) => (await readPage(tx, sql))?.rows;
  if (isEmpty(conditions)) {
    noteStrategy(db, 'page: in the order of an index');
    return read(db, pageSql(request));
  }

  // Nearly all that the source has match: few texts differ in case and accents alone.
  if (isNarrow) {
    const near = await readPage(db, pageSql(request, bound), bound);
    if (near === undefined || near.rows.length === limit || !near.stoppedAt) return near?.rows;
  }
  const gather = (tx: Tx, ids: string[]) => {
    const all = conditionsOf(collection, listing, listing.keyFilters);
    return read(tx, gatherSql({ ...request, conditions: all }, ids));
  };
  const lookups = lookupsOf(filters, listing.where);
  const few = lookups.length > 0 ? await collect(db, scope, lookups, bound) : undefined;
  if (few !== undefined) {
    noteStrategy(db, 'few: all entries of an index condition, sorted');
    return gather(db, few);
  }

  const texts = [...listing.words, ...conditions.contains.map(({ text }) => text)].filter(hasTrigram);
  if (lookups.length === 0 && texts.length === 0) {
    noteStrategy(db, 'walk: in the order of an index, each entry checked');
    if (!listing.where) return read(db, pageSql(request));
    const scanned = await readPage(db, pageSql(request, MAX_SCANNED), MAX_SCANNED);
    if (scanned?.stoppedAt && scanned.rows.length < limit) throw tooExpensive();
    return scanned?.rows;
  }

  // Most words are rare and found fast. Only for common ones, which a short walk meets, the index finds far too much.
  const first = lookups.length > 0 ? bound : Math.ceil(bound / 5);
  noteStrategy(db, 'walk: a bounded part of the order, each entry checked');
  const walked = await readPage(db, pageSql(request, first), first);
  if (walked === undefined || walked.rows.length === limit || !walked.stoppedAt) return walked?.rows;
  // The walk found a part of the page; whatever finds the rest continues there.
  const rest: PageRequest = { ...request, cursor: walked.stoppedAt, limit: limit - walked.rows.length };
  const withRest = (rows: PageRow[] | undefined) => rows && [...walked.rows, ...rows];
  const steps = Math.ceil((first * rest.limit) / walked.rows.length);

  const maxCounted = Math.min(STEP_COST * steps, MAX_COUNTED);
  const own = listing.keyFilters.find((filter) => !filters.includes(filter));
  // Of filters that are all large the first is taken. A range in its own order may be nearly all of it, a single value less.
  const owns: IndexLookup[] = own ? [{ filter: own }] : [];
  const candidates = source.by === 'id' ? [...owns, ...lookups] : [...lookups, ...owns];
  const smallest = lookups.length > 0 ? await findSmallest(db, scope, candidates, maxCounted) : undefined;
  const isWorthWalking = steps <= MAX_WALK && (smallest === undefined || smallest.isLarge);
  if (isWorthWalking) {
    noteStrategy(db, 'walk: further, as many match');
    const more = await readPage(db, pageSql(rest, 2 * steps), 2 * steps);
    if (more === undefined || more.rows.length === rest.limit || !more.stoppedAt) return withRest(more?.rows);
  }
  if (smallest && own && filterOf(smallest.lookup) === own && !(smallest.isLarge && texts.length > 0)) {
    return withRest(await read(db, pageSql(rest)));
  }
  const filter = smallest && filterOf(smallest.lookup);
  if (filter && listing.keyFilters.length > 1) {
    // Filters that are common alone may have few entries in common: the bitmaps of the smallest one's rows tell.
    const others = listing.keyFilters.filter((each) => each !== filter);
    const common = await collect(db, scope, [{ filter, others }], COMMON_FACTOR * bound);
    if (common !== undefined) {
      noteStrategy(db, 'few: entries that several index conditions have in common');
      return gather(db, common);
    }
  }
  if (smallest && !(smallest.isLarge && texts.length > 0)) {
    noteStrategy(db, 'lookup: the entries of the smallest index condition');
    const isChecked = filter && !filter.field.sources && areIndexRanges(filter.ranges, sortsAlike(filter.field));
    const keys = conditions.keys.filter((each) => each !== filter || !isChecked);
    return withRest(await read(db, lookupSql({ ...rest, conditions: { ...conditions, keys } }, smallest.lookup)));
  }
  noteStrategy(db, 'text: the entries that the trigram index finds');
  return db.transaction(async (tx) => {
    // For a text that many entries contain, the planner would read the texts of all accounts.
    await tx.query(BY_INDEX);
    const lookup: IndexLookup = { texts };
    const found = await collect(tx, scope, [lookup], bound);
    if (found !== undefined) return gather(tx, found);
    // If all text is searched, the index has checked the words already.
    const isChecked = conditions.wordFields === undefined;
    const words = isChecked ? conditions.words.filter((word) => !hasTrigram(word)) : conditions.words;
    return withRest(await read(tx, lookupSql({ ...rest, conditions: { ...conditions, words } }, lookup)));
  });
}

/**
 * The order in which entries are read, the filters that it does not apply by itself, and whether these are only one that it nearly
 * applies.
 */
function chooseSource(
  { isIndexed: hasIndex }: Pick<Collection, 'isIndexed'>,
  { order, keyFilters, containsFilters, words, where }: Listing,
): { source: Source; filters: KeyFilter[]; isNarrow: boolean } {
  const isOnly = keyFilters.length === 1 && containsFilters.length + words.length === 0 && !where;
  const left = (filter: KeyFilter) =>
    areIndexRanges(filter.ranges, sortsAlike(filter.field))
      ? { filters: keyFilters.filter((each) => each !== filter), isNarrow: false }
      : { filters: keyFilters, isNarrow: isOnly };
  // Each of several ranges would have its own bound, so they are only read in order if nothing is left to check.
  const isReadable = (ranges: number, filter: KeyFilter) =>
    ranges <= 1 || (isOnly && left(filter).filters.length === 0);
  const all = { filters: keyFilters, isNarrow: false };

  if (order.by === 'updatedAt') return { source: { by: 'updated_at' }, ...all };
  if (order.by === 'createdAt') {
    for (const filter of keyFilters.filter(isExact)) {
      const points = placesOf(filter);
      const isComplete = hasIndex || left(filter).filters !== keyFilters;
      if (points && isComplete && isReadable(points.length, filter)) {
        return { source: { by: 'id', fieldKey: filter.field.key, points }, ...left(filter) };
      }
    }
    return { source: { by: 'created_at' }, ...all };
  }
  const field = order.by;
  const missing = field.pending ? 'in entries' : 'in index';
  const own = keyFilters.find((filter) => filter.field === field && isExact(filter));
  const ranges = own ? intersect(indexRanges(own.ranges, sortsAlike(field)), PRESENT) : PRESENT;
  if (own && isReadable(ranges.length / 2, own)) {
    const wanted = includesMissing(own.ranges) ? missing : 'none';
    return { source: { by: 'key', field, ranges, missing: wanted }, ...left(own) };
  }
  return { source: { by: 'key', field, ranges: PRESENT, missing }, ...all };
}

/** Where the index has the keys of a filter for single keys. */
function placesOf({ field, ranges }: KeyFilter): string[] | undefined {
  const points = pointsOf(ranges);
  return points && sortsAlike(field) ? [...new Set(points.map(indexKeyOf))] : points;
}

/** Whether the rows that the filter finds are those of entries that match: not with fallbacks. */
const isExact = (filter: KeyFilter): boolean => isIndexed(filter) && !filter.field.sources;

/** Whether the index contains every entry that matches the filter. */
function isIndexed({ field, ranges, negated }: KeyFilter): boolean {
  return !negated && !(field.pending && includesMissing(ranges));
}

/** Whether the index has one row for each entry that matches the filter, and no other row in its ranges. */
export const isToldByIndex = (filter: KeyFilter): boolean =>
  isExact(filter) && !filter.field.repeated && areIndexRanges(filter.ranges, sortsAlike(filter.field));

export function conditionsOf(collection: Collection, listing: Listing, keys: KeyFilter[]): Conditions {
  const { active, hasDeleted } = searchableFields(collection);
  return {
    keys,
    contains: listing.containsFilters.map(({ field, text }) => ({ fieldKeys: keysOf(field), text })),
    words: listing.words,
    wordFields: hasDeleted ? active : undefined,
    where: listing.where,
  };
}

/** How an index finds all entries for which a condition can hold; undefined if none does. */
function lookupOf(where: Where): IndexLookup | undefined {
  switch (where.kind) {
    case 'keys':
      return isIndexed(where) ? { filter: where } : undefined;
    case 'and':
      return where.items.map(lookupOf).find((each) => each !== undefined);
    case 'value':
      return lookupOf({ kind: 'and', items: where.items.map((each) => each) });
    case 'row':
      return lookupOf(where.where);
    case 'or': {
      const all = where.items.map(lookupOf);
      return all.length > 0 && all.every((each) => each !== undefined) ? { any: all } : undefined;
    }
    default:
      return undefined;
  }
}

const lookupsOf = (filters: readonly KeyFilter[], where: Where | undefined): IndexLookup[] => [
  ...filters.filter(isIndexed).map((filter) => ({ filter })),
  ...(where ? conjuncts(where).flatMap((each) => lookupOf(each) ?? []) : []),
];

/** The entries (UUIDs) that an index condition of a listing finds, if these are few. */
export async function collectFew(tx: Tx, scope: Scope, listing: Listing, bound = BOUND): Promise<string[] | undefined> {
  const lookups = lookupsOf(listing.keyFilters, listing.where);
  if (lookups.length === 0) return undefined;
  const few = await collect(tx, scope, lookups, bound);
  if (few) noteStrategy(tx, 'few: all entries of an index condition, sorted by all keys');
  return few;
}

/** The lookup that finds the fewest of the entries that a listing can have; undefined if none finds few. */
export async function smallestLookup(tx: Tx, scope: Scope, listing: Listing): Promise<IndexLookup | undefined> {
  const lookups = lookupsOf(listing.keyFilters, listing.where);
  if (lookups.length === 0) return undefined;
  const { lookup, isLarge } = await findSmallest(tx, scope, lookups, MAX_COUNTED);
  return isLarge ? undefined : lookup;
}

const filterOf = (lookup: IndexLookup): KeyFilter | undefined => ('filter' in lookup ? lookup.filter : undefined);

/** How many entries are read at most to find a page that no index finds. */
const MAX_SCANNED = 200_000;

export const tooExpensive = () =>
  badRequest(
    'query_too_expensive',
    `The query would read more than ${MAX_SCANNED.toLocaleString('en')} entries. Add a condition that an index finds: eq, in or a range of a field, without not.`,
  );

/** The entries of the smallest lookup, if it finds at most `bound`. */
async function collect(tx: Tx, scope: Scope, lookups: IndexLookup[], bound: number): Promise<string[] | undefined> {
  const { text, values } = collectSql(scope, lookups, bound);
  const { rows } = await tx.query<{ count: number; ids: string[] | null }>({ name: nameOf(text), text, values });
  return rows.sort((a, b) => a.count - b.count)[0]?.ids ?? undefined;
}

/** @returns the lookup that finds the fewest rows, and whether these are more than `maxCounted` */
async function findSmallest<Lookup extends IndexLookup>(
  tx: Tx,
  scope: Scope,
  lookups: Lookup[],
  maxCounted: number,
): Promise<{ lookup: Lookup; isLarge: boolean }> {
  const { text, values } = countSql(scope, lookups, maxCounted);
  const { rows } = await tx.query<{ lookup: number; count: number }>({ name: nameOf(text), text, values });
  const [least] = rows.sort((a, b) => a.count - b.count);
  const lookup = lookups[least?.lookup ?? 0];
  if (least === undefined || lookup === undefined) throw new Error('there are no lookups to choose from');
  return { lookup, isLarge: least.count > maxCounted };
}

interface ReadPage {
  rows: PageRow[];
  /** Where a bounded walk stopped. */
  stoppedAt: Cursor | undefined;
}

async function readPage(tx: Tx, { text, values }: Sql, bound?: number): Promise<ReadPage | undefined> {
  const rows = await readBinary(tx, { name: nameOf(text), text, values }, PageRow);
  if (rows.length === 0) return undefined;
  const last = bound === undefined ? undefined : rows.find(({ step }) => step === bound);
  return { rows: rows.filter(({ matches }) => matches), stoppedAt: last?.cursor };
}
