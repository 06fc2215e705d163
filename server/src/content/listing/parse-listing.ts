import type { Fault } from '../../shared/errors.ts';
import { parseExactly } from '../../shared/json.ts';
import type { Collection, Field } from '../collections/collection.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { fold } from '../field-types/fold.ts';
import { LIMITS } from '../limits.ts';
import { PARENT } from '../ordering/system-fields.ts';
import { parseSort, type SortKey } from '../query/parse-sort.ts';
import { type Reader, WhereParser } from '../query/parse-where.ts';
import { findPlace, ownerOf } from '../query/paths.ts';
import { ALL, and, conjuncts, type Where } from '../query/where.ts';
import { conditionOf } from '../roles/collection-access.ts';
import { ABSENT, exactly, intersect } from './key-ranges.ts';
import type { KeyFilter } from './key-sql.ts';

export type { KeyFilter } from './key-sql.ts';

/** Entries whose text field contains a folded text. */
interface ContainsFilter {
  field: Field;
  text: string;
}

export interface Order {
  by: Field | 'createdAt' | 'updatedAt';
  descending: boolean;
}

/** The parsed query of a list request. */
export interface Listing {
  order: Order;
  keyFilters: KeyFilter[];
  containsFilters: ContainsFilter[];
  /** The folded words of `q`. */
  words: string[];
  /** What else has to hold. */
  where?: Where | undefined;
  /** If the order has other keys than `order`: all of them. */
  sortKeys?: readonly SortKey[];
}

/** A query as it was sent, checked. */
export interface ParsedListing extends Pick<Listing, 'order' | 'words' | 'sortKeys'> {
  where: Where;
}

/** A query as the service itself makes it. */
export interface OwnQuery {
  /** In a tree: entries below one of these (public IDs) or, with null, without a parent. */
  parents?: readonly (string | null)[];
}

/** Parses `sort`, `filter[…][…]`, `where` and `q` by the types of the collection's fields. Adds faults to `faults`. */
export async function parseListing(
  collection: Collection,
  query: EntriesQuery & { where?: unknown } & OwnQuery,
  faults: Fault[],
  reader: Reader,
): Promise<ParsedListing> {
  const words = fold(query.q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const sent = filtersOf(query).flatMap(([name, texts]) =>
    textsOf(collection, reader, name, texts).map((text) => ({ name, text })),
  );
  const order = defaultOrder(collection);
  if (sent.length > LIMITS.filters) {
    const detail = `A list request has at most ${LIMITS.filters} filters.`;
    faults.push({ pointer: `?${sent[LIMITS.filters]?.name}`, code: 'too_many', detail });
    return { where: ALL, order, words };
  }
  const sortKeys = await parseSort(collection, query.sort, faults, reader, words);
  const parser = new WhereParser(reader, faults);
  const all: Where[] = [];
  for (const { name, text } of sent) {
    const [, path = '', operator = ''] = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/.exec(name) ?? [];
    if (operator === '') {
      const detail = 'Write a filter as filter[<fieldId>][<operator>]=<value>.';
      faults.push({ pointer: `?${name}`, code: 'filter_invalid', detail });
    } else all.push(await parser.filter(collection, path, operator, text, `?${name}`));
  }
  if (query.where !== undefined) {
    // A parameter of the URL is text.
    const isText = typeof query.where === 'string';
    const where = isText ? parseJson(query.where as string, faults) : query.where;
    if (where !== undefined) all.push(await parser.parse(collection, where, isText ? '?where' : '/where'));
  }
  const parent = query.parents && collection.byId.get(PARENT);
  if (parent && query.parents) {
    const ids = exactly(query.parents.filter((id) => id !== null));
    const ranges = query.parents.includes(null) ? [...ids, ...ABSENT] : ids;
    all.push({ kind: 'keys', field: parent, ranges, negated: false });
  }
  // What a role may not read is found by no query.
  const own = conditionOf(collection, 'read');
  if (own) all.push(own);
  return { where: and(all), ...orderOf(sortKeys, order), words };
}

/** The filters of a query by their names. Some clients number the values of a list, `filter[price][in][0]`, or send `filter[price][in][]`. */
function filtersOf(query: Record<string, unknown>): [name: string, texts: string[]][] {
  const filters = new Map<string, string[]>();
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith('filter[')) continue;
    const filter = name.replace(/(\]\[[^[\]]+\])\[\d*\]$/, '$1');
    filters.set(filter, [...(filters.get(filter) ?? []), ...[value as string | string[]].flat()]);
  }
  return [...filters];
}

/** What a filter says, for each time it was sent. The values of a list may be sent one by one; a single value is in one of several `in`. */
function textsOf(collection: Collection, reader: Reader, name: string, texts: string[]): string[] {
  const [, path, operator] = /^filter\[([^[\]]*)\]\[(in|between)\]$/.exec(name) ?? [];
  if (texts.length === 1 || path === undefined || texts.some((text) => /[,\\]/.test(text))) return texts;
  if (operator === 'between') return [texts.join(',')];
  const place = findPlace(ownerOf(collection, reader.isPublic), path.split('.'));
  const isSingle = place.kind === 'system' || (place.kind === 'field' && !place.field.repeated && !place.isInRows);
  return isSingle ? [texts.join(',')] : texts;
}

/** The listing of a query whose conditions are resolved. */
export const listingFrom = ({ where, ...order }: ParsedListing): Listing => ({ ...listingOf(where), ...order });

function parseJson(text: string, faults: Fault[]): unknown {
  try {
    return parseExactly(text);
  } catch {
    const detail = 'The parameter where is not valid JSON. Encode it for a URL.';
    faults.push({ pointer: '?where', code: 'where_invalid', detail });
    return undefined;
  }
}

/** A listing without an order of its own of the entries that match. */
export function listingOf(where: Where): Listing {
  const keyFilters: KeyFilter[] = [];
  const containsFilters: ContainsFilter[] = [];
  const others: Where[] = [];
  for (const each of conjuncts(where)) {
    if (each.kind === 'keys') addKeyFilter(keyFilters, each);
    else if (each.kind === 'text' && each.match === 'contains') containsFilters.push(each);
    else others.push(each);
  }
  const order: Order = { by: 'createdAt', descending: false };
  return { order, keyFilters, containsFilters, words: [], ...(others.length > 0 && { where: and(others) }) };
}

/** Adds a filter to those that all have to hold. */
export function addKeyFilter(all: KeyFilter[], { field, ranges, negated }: KeyFilter): void {
  // A single value must be in all sets, so in their intersection; a repeated field can have a different value in each. What a field has in
  // a locale is another value with those that stand in for it.
  const isSame = (other: Field) =>
    other.key === field.key && (other.sources?.length ?? 1) === (field.sources?.length ?? 1);
  const same = field.repeated ? undefined : all.find((each) => isSame(each.field));
  if (same) same.ranges = intersect(same.ranges, ranges);
  else all.push({ field, ranges, negated });
}

function defaultOrder(collection: Collection): Order {
  const defaultSort = collection.row.default_sort;
  const field = defaultSort && collection.byId.get(defaultSort.fieldId);
  return field ? { by: field, descending: defaultSort.direction === 'desc' } : { by: 'createdAt', descending: false };
}

/** A single key that entries are stored in the order of needs nothing else. */
function orderOf(sortKeys: readonly SortKey[] | undefined, byDefault: Order): Pick<Listing, 'order' | 'sortKeys'> {
  const [first] = sortKeys ?? [];
  if (!first) return { order: byDefault };
  const order = walkOf(first);
  if (!order) return { order: { by: 'createdAt', descending: first.descending }, ...(sortKeys && { sortKeys }) };
  return sortKeys?.length === 1 ? { order } : { order, ...(sortKeys && { sortKeys }) };
}

/** The order in which entries are read for a sort key; undefined if none is. */
export function walkOf({ by, descending }: SortKey): Order | undefined {
  if (by.kind === 'field' && by.path.length === 0) return { by: by.field, descending };
  if (by.kind === 'system' && (by.column === 'createdAt' || by.column === 'updatedAt'))
    return { by: by.column, descending };
  return undefined;
}
