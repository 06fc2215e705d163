import { parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { readBinary } from '../../shared/postgres/driver/binary-rows.ts';
import type { Collection } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { sortsAlike, typeOf } from '../field-types/index.ts';
import { compareKeys, indexKeyOf, indexRangeOf, MISSING } from '../field-types/sort-key.ts';
import { collectFew, conditionsOf, findPage, tooExpensive } from '../listing/find-page.ts';
import { ABSENT, between, exactly } from '../listing/key-ranges.ts';
import type { KeyFilter, Scope } from '../listing/key-sql.ts';
import { type Cursor, PageRow } from '../listing/page-request.ts';
import { gatherSql } from '../listing/page-sql.ts';
import { addKeyFilter, type Listing, listingOf, walkOf } from '../listing/parse-listing.ts';
import { nameOf } from '../listing/statement-names.ts';
import type { TargetRow } from '../references/queries.ts';
import { noteStrategy } from './explain.ts';
import type { SortKey, TargetColumn } from './parse-sort.ts';
import { relevanceOf } from './relevance.ts';
import { ALL, and, not, type Where } from './where.ts';

/** An entry with the keys that it is sorted by. */
export interface SortedRow {
  row: PageRow;
  keys: readonly string[];
}

/** Reads referenced entries (UUIDs) with their values. */
export type FindTargets = (ids: string[]) => Promise<TargetRow[]>;

const CHUNK = 500;
/** So many are read first: enough to see that many have the same key. */
const FIRST_CHUNK = 100;
/** How many entries are read at most for a page: collections of so many are never refused. */
const MAX_READ = 20_000;

/** What a page is read from. */
interface Reading {
  db: Database;
  scope: Scope;
  collection: Collection;
  findTargets: FindTargets;
}

/** Thrown if the collection is not at the version of the scope anymore. */
class Outdated extends Error {}

/**
 * A page in an order of several keys, or of keys of referenced entries. Entries are read in the order of the first key if an
 * index has it; those with the same first key are sorted here if they are few, and otherwise read in the order of the other keys.
 * @param after the keys and the ID of the last entry of the previous page
 * @returns undefined if the collection is not at the version of the scope anymore
 */
export async function findSortedPage(
  db: Database,
  scope: Scope,
  collection: Collection,
  listing: Listing & { sortKeys: readonly SortKey[] },
  after: readonly string[] | undefined,
  limit: number,
  findTargets: FindTargets,
): Promise<SortedRow[] | undefined> {
  const { sortKeys, ...walked } = listing;
  const last = after && { keys: after.slice(0, -1), id: after.at(-1) ?? '' };
  try {
    const reading = { db, scope, collection, findTargets };
    const few = await collectFew(db, scope, walked);
    if (few) return (await sortFew(reading, walked, sortKeys, few, last)).slice(0, limit);
    return await sortedPage(reading, walked, sortKeys, last, limit);
  } catch (error) {
    if (error instanceof Outdated) return undefined;
    throw error;
  }
}

type Last = { keys: readonly string[]; id: string } | undefined;

/** All of a few entries that match, sorted. */
async function sortFew(
  { db, scope, collection, findTargets }: Reading,
  listing: Listing,
  sortKeys: readonly SortKey[],
  ids: string[],
  last: Last,
): Promise<SortedRow[]> {
  if (ids.length === 0) return [];
  const conditions = conditionsOf(collection, listing, listing.keyFilters);
  const source = { by: 'created_at' as const };
  const request = { scope, source, descending: false, conditions, cursor: undefined, limit: ids.length };
  const { text, values } = gatherSql(request, ids);
  const rows = await readBinary(db, { name: nameOf(text), text, values }, PageRow);
  if (rows.length === 0) throw new Outdated();
  const compare = comparator(sortKeys);
  const found = await withKeys(
    rows.filter(({ matches, isThere }) => matches && isThere),
    sortKeys,
    collection,
    findTargets,
  );
  return (last ? found.filter((each) => compare(each, last) > 0) : found).sort(compare);
}

async function sortedPage(
  reading: Reading,
  listing: Listing,
  sortKeys: readonly SortKey[],
  last: Last,
  limit: number,
): Promise<SortedRow[]> {
  const { db, scope, collection, findTargets } = reading;
  const [first, ...others] = sortKeys;
  const order = first && walkOf(first);
  if (first && order && others.length === 0) return pageOfOne(reading, { ...listing, order }, first, last, limit);
  const groups = first && !order ? await groupsOf(reading, first) : undefined;
  if (groups) return groupedPage(reading, listing, groups, others, last, limit, first?.descending ?? false);
  const ordered = { ...listing, order: order ?? { by: 'createdAt' as const, descending: first?.descending ?? false } };
  const compare = comparator(sortKeys);
  let cursor = order && last && first ? groupStart(first, last.keys[0] ?? '') : undefined;
  let best: SortedRow[] = [];
  const start = others.length > 0 && order ? Math.min(CHUNK, Math.max(FIRST_CHUNK, limit)) : CHUNK;
  let size = start;
  for (let read = 0; ; ) {
    const rows = await findPage(db, scope, collection, ordered, cursor, size);
    if (rows === undefined) throw new Outdated();
    read += rows.length;
    const found = await withKeys(rows, sortKeys, collection, findTargets);
    const isEnd = rows.length < size;
    const key = found[0]?.keys[0];
    const filter = first && key !== undefined && key === found.at(-1)?.keys[0] ? filterOfKey(first, key) : undefined;
    if (filter && first && key !== undefined && !isEnd && others.length > 0) {
      // Many have this key: they are read in the order of the others.
      const within = withFilter(listing, filter);
      const lastWithin = last?.keys[0] === key && last ? { keys: last.keys.slice(1), id: last.id } : undefined;
      const before = best.filter((each) => each.keys[0] !== key);
      const rest = await sortedPage(reading, within, others, lastWithin, limit - before.length);
      best = [...before, ...rest.map(({ row, keys }) => ({ row, keys: [key, ...keys] }))];
      if (best.length >= limit) return best.slice(0, limit);
      cursor = groupEnd(first, key);
      size = start;
      continue;
    }
    size = CHUNK;
    const next = last ? found.filter((each) => compare(each, last) > 0) : found;
    best = [...best, ...next].sort(compare);
    // What follows has a greater first key.
    const isFull = order !== undefined && best.length >= limit && best[limit - 1]?.keys[0] !== found.at(-1)?.keys[0];
    best = best.slice(0, limit);
    if (isEnd || isFull) return best;
    if (read >= MAX_READ) throw tooExpensive();
    cursor = rows.at(-1)?.cursor;
  }
}

/** A page in the order of one key, which an index has. */
async function pageOfOne(
  { db, scope, collection, findTargets }: Reading,
  listing: Listing,
  key: SortKey,
  last: Last,
  limit: number,
): Promise<SortedRow[]> {
  const cursor = last && { ...groupStart(key, last.keys[0] ?? ''), id: last.id };
  const rows = await findPage(db, scope, collection, listing, cursor, limit);
  if (rows === undefined) throw new Outdated();
  return withKeys(rows, [key], collection, findTargets);
}

/** The entries of these filters, one after another; those of a filter in the order of the other keys. */
async function groupedPage(
  reading: Reading,
  listing: Listing,
  groups: readonly { key: string; where: Where }[],
  others: readonly SortKey[],
  last: Last,
  limit: number,
  descending: boolean,
): Promise<SortedRow[]> {
  noteStrategy(reading.db, 'groups: by the entries that are referenced, in their order');
  // Without another key, by age.
  const sortKeys: readonly SortKey[] =
    others.length > 0 ? others : [{ by: { kind: 'system', column: 'createdAt' }, descending }];
  const from = last === undefined ? 0 : groups.findIndex(({ key }) => key === last.keys[0]);
  const best: SortedRow[] = [];
  for (const [i, { key, where }] of groups.entries()) {
    if (i < from || best.length >= limit) continue;
    const after = last && i === from ? afterWithin(last, others) : undefined;
    const within = { ...listing, where: listing.where ? and([listing.where, where]) : where };
    const { keyFilters, where: rest, ...more } = within;
    const own = listingOf(rest ?? ALL);
    const filters = keyFilters.map((each) => ({ ...each }));
    for (const filter of own.keyFilters) addKeyFilter(filters, filter);
    const containsFilters = [...more.containsFilters, ...own.containsFilters];
    const group = { ...more, keyFilters: filters, containsFilters, where: own.where };
    const rows = await sortedPage(reading, group, sortKeys, after, limit - best.length);
    best.push(...rows.map(({ row, keys }) => ({ row, keys: [key, ...(others.length > 0 ? keys : [])] })));
  }
  return best;
}

function afterWithin(last: NonNullable<Last>, others: readonly SortKey[]): NonNullable<Last> {
  if (others.length > 0) return { keys: last.keys.slice(1), id: last.id };
  return { keys: [padded(uuidTime(last.id))], id: last.id };
}

/** Up to so many referenced entries can be the groups of an order. */
const MAX_GROUPED = 1_000;

/** The entries of a reference that have a key, in the order of it, and the condition of those that reference none; undefined: too many. */
async function groupsOf(
  { db, scope }: Reading,
  { by, descending }: SortKey,
): Promise<{ key: string; where: Where }[] | undefined> {
  if (by.kind !== 'field' || !by.path[0] || !by.views) return undefined;
  const { field: reference } = by.path[0];
  // Of a reference in a locale, the key decides which one counts.
  if (reference.sources) return undefined;
  const ids = new Map<string, string[]>();
  let count = 0;
  for (const view of by.views) {
    const own = by.fields?.get(view.id);
    if (!own) continue;
    const { accountId, state } = scope;
    const target = {
      accountId,
      collectionId: view.id,
      version: view.version,
      state: view.publishing ? (state ?? 'draft') : undefined,
    };
    const rows = await findPage(db, target, view, listingOf(ALL), undefined, MAX_GROUPED + 1);
    if (rows === undefined) throw new Outdated();
    count += rows.length;
    if (count > MAX_GROUPED) return undefined;
    for (const row of rows) {
      const key = keyOfValue(by, view.id, readJson(row.values?.toString() ?? '{}') as Values);
      if (key !== MISSING) ids.set(key, [...(ids.get(key) ?? []), publicId('ent', row.id)]);
    }
  }
  const sign = descending ? -1 : 1;
  const keys = (all: string[]): Where => ({ kind: 'keys', field: reference, ranges: exactly(all), negated: false });
  const groups = [...ids].sort(([a], [b]) => sign * compareKeys(a, b)).map(([key, all]) => ({ key, where: keys(all) }));
  const none = ids.size === 0 ? ALL : not(keys([...ids.values()].flat()));
  return [...groups, { key: MISSING, where: none }];
}

/** The condition of entries with this key; undefined if no index has it. */
function filterOfKey({ by }: SortKey, key: string): KeyFilter | undefined {
  if (by.kind !== 'field' || by.path.length > 0) return undefined;
  // The index has the order of the first source.
  const { sources: _, ...field } = by.field;
  const ranges = key === MISSING ? ABSENT : sortsAlike(field) ? between(...indexRangeOf(key)) : exactly([key]);
  return { field, ranges, negated: false };
}

function withFilter(listing: Listing, filter: KeyFilter): Listing {
  const keyFilters = listing.keyFilters.map((each) => ({ ...each }));
  addKeyFilter(keyFilters, filter);
  return { ...listing, keyFilters };
}

/** Sorts entries that are all known. */
export async function sortRows(
  rows: readonly PageRow[],
  sortKeys: readonly SortKey[],
  collection: Collection,
  findTargets: FindTargets,
): Promise<PageRow[]> {
  const sorted = await withKeys(rows, sortKeys, collection, findTargets);
  return sorted.sort(comparator(sortKeys)).map(({ row }) => row);
}

/** Entries with these keys in the order of the request; those without a value last, and of equals the older or newer first. */
function comparator(sortKeys: readonly SortKey[]) {
  const signs = sortKeys.map(({ descending }) => (descending ? -1 : 1));
  const last = signs.at(-1) ?? 1;
  type Sorted = { keys: readonly string[] } & ({ row: PageRow } | { id: string });
  const idOf = (each: Sorted) => ('row' in each ? each.row.id : each.id);
  return (a: Sorted, b: Sorted): number => {
    for (const [i, sign] of signs.entries()) {
      const [x = '', y = ''] = [a.keys[i], b.keys[i]];
      if (x === y) continue;
      if (x === MISSING) return 1;
      if (y === MISSING) return -1;
      return sign * compareKeys(x, y);
    }
    const [x, y] = [idOf(a), idOf(b)];
    return x === y ? 0 : x < y ? -last : last;
  };
}

/** The latest time that PostgreSQL and JavaScript write alike. */
const LAST_MS = 253_402_300_799_000;

/** After the last entry with this key. */
const groupEnd = (key: SortKey, value: string): Cursor => groupStart({ ...key, descending: !key.descending }, value);

/** Before the first entry with this key. */
function groupStart({ by, descending }: SortKey, key: string): Cursor {
  const fill = descending ? 'f' : '0';
  if (by.kind === 'system' && by.column === 'createdAt') {
    const time = Number(key).toString(16).padStart(12, '0');
    return { key: '', id: uuidOf(time, fill) };
  }
  const time = descending ? LAST_MS.toString(16).padStart(12, '0') : '0'.repeat(12);
  return { key: by.kind === 'system' ? new Date(Number(key)).toISOString() : key, id: uuidOf(time, fill) };
}

const uuidOf = (time: string, fill: string) =>
  `${time.slice(0, 8)}-${time.slice(8)}-${[4, 4, 12].map((length) => fill.repeat(length)).join('-')}`;

async function withKeys(
  rows: readonly PageRow[],
  sortKeys: readonly SortKey[],
  collection: Collection,
  findTargets: FindTargets,
): Promise<SortedRow[]> {
  const { id: collectionId } = collection;
  const present = rows.flatMap((row) => {
    const { values } = row;
    return values === undefined ? [] : [{ row, values: readJson(values.toString()) as Values }];
  });
  const ids = new Set<string>();
  for (const { by } of sortKeys) {
    if ((by.kind !== 'field' && by.kind !== 'target') || !by.path[0]) continue;
    for (const { values } of present) {
      const id = parseId('ent', String(valueAt(values, by.path[0].names) ?? ''));
      if (id !== undefined) ids.add(id);
    }
  }
  const targets = new Map((ids.size === 0 ? [] : await findTargets([...ids])).map((row) => [row.id, row]));
  const parsed = new Map([...targets].map(([id, { values }]) => [id, readJson(values ?? '{}') as Values]));
  const keyOf = ({ by }: SortKey, row: PageRow, values: Values): string => {
    if (by.kind === 'system') return systemKey(by.column, row);
    if (by.kind === 'relevance') return padded(relevanceOf(collection, values, by.words));
    const [step] = by.path;
    if (!step) return by.kind === 'field' ? keyOfValue(by, collectionId, values) : MISSING;
    const id = parseId('ent', String(valueAt(values, step.names) ?? ''));
    const target = id === undefined ? undefined : targets.get(id);
    if (!target || id === undefined) return MISSING;
    if (by.kind === 'target') return targetKey(by.column, id, target);
    return keyOfValue(by, target.collection_id, parsed.get(id) ?? {});
  };
  return present.map(({ row, values }) => ({ row, keys: sortKeys.map((key) => keyOf(key, row, values)) }));
}

function targetKey(column: TargetColumn, id: string, { updated_at }: TargetRow): string {
  if (column === 'id') return id;
  return padded(
    column === 'createdAt' ? uuidTime(id) : typeof updated_at === 'number' ? updated_at : Date.parse(updated_at),
  );
}

function keyOfValue(by: Extract<SortKey['by'], { kind: 'field' }>, collectionId: string, values: Values): string {
  const found = by.fields ? by.fields.get(collectionId) : by;
  const value = found && valueAt(values, found.names);
  if (!found || value === undefined || value === null) return MISSING;
  const key = typeOf(found.field).sortKey(value);
  return sortsAlike(found.field) ? indexKeyOf(key) : key;
}

const padded = (number: number | undefined) => (number === undefined ? MISSING : String(number).padStart(16, '0'));

function systemKey(column: Extract<SortKey['by'], { kind: 'system' }>['column'], row: PageRow): string {
  switch (column) {
    case 'id':
      return row.id;
    case 'createdAt':
      return padded(uuidTime(row.id));
    case 'updatedAt':
      return padded(row.updatedAt);
    case 'publishedAt':
      return padded(row.publishedAt);
    case 'version':
      return padded(row.version);
  }
}

/** The value at the first of these places that has one. */
export function valueAt(values: Values, names: readonly (readonly string[])[]): unknown {
  for (const path of names) {
    let value: unknown = values;
    for (const name of path) {
      const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      value = isObject ? (value as Record<string, unknown>)[name] : undefined;
    }
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
