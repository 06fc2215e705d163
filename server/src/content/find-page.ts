import type { Database, Tx } from '../shared/postgres/database.ts';
import type { Collection } from './collection.ts';
import {
  type Checks,
  collectSql,
  countSql,
  type Driver,
  hasTrigram,
  isEmpty,
  type Scope,
  type Sql,
} from './filter-sql.ts';
import { searchedFields } from './index-entry.ts';
import { includesMissing, intersect, PRESENT, pointsOf } from './key-ranges.ts';
import { driverSql, gatherSql, type PageRequest, type PageRow, type Place, pageSql, type Source } from './page-sql.ts';
import type { KeyFilter, Listing } from './read-listing.ts';

/**
 * How many entries are looked at before another way is considered: those of a filter that no more fulfil are gathered and
 * sorted; an order of which so many did not fill the page is a reason to stop and think. Either takes 1 to 2 ms.
 */
const BOUND = 1_000;

/** A step of a walk looks up an entry, and takes as long as this many steps through the index alone. */
const STEP = 7;

/** How many rows of the index are counted at most, to tell how large a filter is; and steps walked on, for a text. */
const COUNTED = 50_000;
const WALKED_ON = 4_000;

/**
 * The entries of a listing behind `place`, at most `limit`. undefined: the collection is not at the version any more by
 * which it was asked.
 *
 * One statement, where the order of some index is that of the listing and nothing else is to be checked. Else there is no
 * telling beforehand whether few or many entries fulfil the filters (the statistics are those of all collections
 * together), so the ways are tried, each within bounds; see docs/decisions/0004-entry-index.md.
 */
export async function findPage(
  db: Database,
  scope: Scope,
  collection: Collection,
  listing: Listing,
  place: Place | undefined,
  limit: number,
  bound = BOUND,
): Promise<PageRow[] | undefined> {
  const { source, filters } = chooseSource(listing);
  const checks = checksOf(collection, listing, filters);
  const request: PageRequest = { scope, source, descending: listing.order.descending, checks, limit, place };
  const read = async (tx: Tx, sql: Sql) => (await readPage(tx, sql))?.rows;
  if (isEmpty(checks)) return read(db, pageSql(request));

  const gather = (tx: Tx, ids: string) => {
    const all = checksOf(collection, listing, listing.keyFilters);
    return read(tx, gatherSql({ ...request, checks: all }, ids));
  };
  const drivers = filters.filter(isDriver).map((filter) => ({ filter }));
  const few = drivers.length > 0 ? await collect(db, scope, drivers, bound) : undefined;
  if (few !== undefined) return gather(db, few);

  const texts = [...listing.words, ...checks.contains.map(({ text }) => text)].filter(hasTrigram);
  if (drivers.length === 0 && texts.length === 0) return read(db, pageSql(request));

  // Words are mostly rare, and found fast; only of common ones, which a short walk meets, the index tells far too much.
  const first = drivers.length > 0 ? bound : Math.ceil(bound / 5);
  const walked = await readPage(db, pageSql(request, first), first);
  if (walked === undefined || walked.rows.length === limit || !walked.brokenAt) return walked?.rows;
  // The walk found some of the page; whatever finds the rest goes on from there.
  const rest: PageRequest = { ...request, place: walked.brokenAt, limit: limit - walked.rows.length };
  const withRest = (rows: PageRow[] | undefined) => rows && [...walked.rows, ...rows];
  const steps = Math.ceil((first * rest.limit) / walked.rows.length);

  const smallest =
    drivers.length > 0 ? await findSmallest(db, scope, drivers, Math.min(STEP * steps, COUNTED)) : undefined;
  const isWorthWalking = steps <= WALKED_ON && (smallest === undefined || smallest.isLarge);
  if (isWorthWalking) {
    const more = await readPage(db, pageSql(rest, 2 * steps), 2 * steps);
    if (more === undefined || more.rows.length === rest.limit || !more.brokenAt) return withRest(more?.rows);
  }
  if (smallest && !(smallest.isLarge && texts.length > 0)) {
    const keys = checks.keys.filter((filter) => filter !== smallest.driver.filter);
    return withRest(await read(db, driverSql({ ...rest, checks: { ...checks, keys } }, smallest.driver)));
  }
  return db.transaction(async (tx) => {
    // A text that many entries hold is, for the planner, a reason to read them all, of all accounts.
    await tx.query('set local enable_seqscan = off');
    const driver: Driver = { texts };
    const hits = await collect(tx, scope, [driver], bound);
    if (hits !== undefined) return gather(tx, hits);
    // Where all text is searched, the index has found the words already.
    const words = checks.wordFields === undefined ? checks.words.filter((word) => !hasTrigram(word)) : checks.words;
    return withRest(await read(tx, driverSql({ ...rest, checks: { ...checks, words } }, driver)));
  });
}

/** In which order entries are read, and which filters that does not fulfil by itself. */
function chooseSource({ order, keyFilters, containsFilters, words }: Listing): {
  source: Source;
  filters: KeyFilter[];
} {
  const without = (filter: KeyFilter | undefined) => keyFilters.filter((each) => each !== filter);
  /** Of several ranges each would have its own bound: they are only read in order where nothing is to be checked. */
  const isAlone = (ranges: number) =>
    ranges <= 1 || (keyFilters.length === 1 && containsFilters.length + words.length === 0);

  if (order.by === 'updatedAt') return { source: { by: 'updated_at' }, filters: keyFilters };
  if (order.by === 'createdAt') {
    for (const filter of keyFilters.filter(isDriver)) {
      const points = pointsOf(filter.ranges);
      if (points !== undefined && isAlone(points.length)) {
        return { source: { by: 'id', fieldKey: filter.field.key, points }, filters: without(filter) };
      }
    }
    return { source: { by: 'created_at' }, filters: keyFilters };
  }
  const field = order.by;
  const missing = field.pending ? 'in entries' : 'in index';
  const own = keyFilters.find((filter) => filter.field === field);
  const ranges = own ? intersect(own.ranges, PRESENT) : PRESENT;
  if (own && isAlone(ranges.length / 2)) {
    const wanted = includesMissing(own.ranges) ? missing : 'none';
    return { source: { by: 'key', fieldKey: field.key, ranges, missing: wanted }, filters: without(own) };
  }
  return { source: { by: 'key', fieldKey: field.key, ranges: PRESENT, missing }, filters: keyFilters };
}

/** Whether the index has every entry that the filter lets through. */
function isDriver({ field, ranges, negated }: KeyFilter): boolean {
  return !negated && !(field.pending && includesMissing(ranges));
}

function checksOf(collection: Collection, listing: Listing, keys: KeyFilter[]): Checks {
  const { active, hasDeleted } = searchedFields(collection);
  return {
    keys,
    contains: listing.containsFilters.map(({ field, contains }) => ({ fieldKey: field.key, text: contains })),
    words: listing.words,
    wordFields: hasDeleted ? active : undefined,
  };
}

/** The entries of the smallest driver, if they are few: an array as PostgreSQL writes it. */
async function collect(tx: Tx, scope: Scope, drivers: Driver[], bound: number): Promise<string | undefined> {
  const { text, values } = collectSql(scope, drivers, bound);
  const { rows } = await tx.query<{ count: number; ids: string | null }>({ name: nameOf(text), text, values });
  return rows.sort((a, b) => a.count - b.count)[0]?.ids ?? undefined;
}

/** @returns the driver with the fewest rows, and whether these are more than `counted` */
async function findSmallest<D extends Driver>(
  tx: Tx,
  scope: Scope,
  drivers: D[],
  counted: number,
): Promise<{ driver: D; isLarge: boolean }> {
  const { text, values } = countSql(scope, drivers, counted);
  const { rows } = await tx.query<{ driver: number; count: number }>({ name: nameOf(text), text, values });
  const [least] = rows.sort((a, b) => a.count - b.count);
  const driver = drivers[least?.driver ?? 0];
  if (least === undefined || driver === undefined) throw new Error('there is nothing to choose from');
  return { driver, isLarge: least.count > counted };
}

// Columns come as the text that PostgreSQL sends: most of it goes into the answer as it is.
const asText = { getTypeParser: () => (value: string) => value } as never;

interface ReadPage {
  rows: PageRow[];
  /** Where a bounded walk broke off. */
  brokenAt: Place | undefined;
}

async function readPage(tx: Tx, { text, values }: Sql, bound?: number): Promise<ReadPage | undefined> {
  const query = { name: nameOf(text), text, values, rowMode: 'array', types: asText };
  const rows = (await tx.query(query)).rows as PageRow[];
  if (rows.length === 0) return undefined;
  const [key, id] = rows.find(([, , step]) => step !== null && Number(step) === bound) ?? [];
  return {
    rows: rows.filter(([, entryId, , fits]) => entryId !== null && fits === 't'),
    brokenAt: id == null ? undefined : { key: key ?? '', id },
  };
}

const NAMED = 64;
const names = new Map<string, string>();

/**
 * A name under which each connection keeps the statement's plan. There are as many statements as there are combinations of
 * an order and kinds of filters: those that come first are kept, and any beyond is planned each time.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMED) return known;
  const name = `content.page_${names.size}`;
  names.set(text, name);
  return name;
}
