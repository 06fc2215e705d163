import type { Fault } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { isDate, parseTimestamp } from '../shared/time.ts';
import { isWebUrl } from './check-values.ts';
import { type Collection, type Field, isActive, isSortable } from './collection.ts';
import { type EntriesQuery, type FieldType, LIMITS } from './contract.ts';
import { fold } from './fold.ts';
import { ABSENT, ANY, between, complement, exactly, intersect, type KeyRanges, PRESENT } from './key-ranges.ts';
import { after, afterPlace, MISSING, sortKey, textPrefix } from './sort-key.ts';

/** Entries of which the field, or any value of a repeated one, has a key in `ranges`; with `negated`, those of which none has. */
export interface KeyFilter {
  field: Field;
  ranges: KeyRanges;
  negated: boolean;
}

/** Entries in whose text field the folded text occurs. */
export interface ContainsFilter {
  field: Field;
  contains: string;
}

export interface Order {
  by: Field | 'createdAt' | 'updatedAt';
  descending: boolean;
}

/** What a listing asks for. */
export interface Listing {
  order: Order;
  keyFilters: KeyFilter[];
  containsFilters: ContainsFilter[];
  /** Folded words of `q`. */
  words: string[];
}

const OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'exists'] as const;
type Operator = (typeof OPERATORS)[number];

const EQUAL: readonly Operator[] = ['eq', 'ne', 'in', 'exists'];
const ORDERED: readonly Operator[] = [...EQUAL, 'lt', 'lte', 'gt', 'gte'];
const OPERATORS_OF: Record<FieldType, readonly Operator[]> = {
  text: [...ORDERED, 'contains'],
  number: ORDERED,
  boolean: EQUAL,
  date: ORDERED,
  timestamp: ORDERED,
  url: EQUAL,
  select: EQUAL,
  asset: EQUAL,
  group: ['exists'],
};

/** Reads `sort`, `filter[…][…]` and `q` of a query, typed by the collection's fields. Pure; faults are added to `faults`. */
export function readListing(collection: Collection, query: EntriesQuery, faults: Fault[]): Listing {
  const listing: Listing = {
    order: readOrder(collection, query.sort, faults),
    keyFilters: [],
    containsFilters: [],
    words: fold(query.q ?? '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  };
  const sent = Object.entries(query)
    .filter(([name]) => name.startsWith('filter['))
    .flatMap(([name, value]) => [value as string | string[]].flat().map((text) => ({ name, text })));
  if (sent.length > LIMITS.filters) {
    const detail = `A listing has at most ${LIMITS.filters} filters.`;
    faults.push({ pointer: `?${sent[LIMITS.filters]?.name}`, code: 'too_many', detail });
    return listing;
  }
  for (const { name, text } of sent) {
    readFilter(
      collection,
      listing,
      name,
      text,
      (code, detail) => void faults.push({ pointer: `?${name}`, code, detail }),
    );
  }
  return listing;
}

function readOrder(collection: Collection, sort: string | undefined, faults: Fault[]): Order {
  const fallback = collection.row.default_sort;
  const fault = (code: string, detail: string): Order => {
    faults.push({ pointer: '?sort', code, detail });
    return { by: 'createdAt', descending: false };
  };
  if (sort === undefined) {
    const field = fallback && collection.byId.get(fallback.fieldId);
    if (!field) return { by: 'createdAt', descending: false };
    return { by: field, descending: fallback.direction === 'desc' };
  }
  const [, id = '', direction] = /^([^:]*):(asc|desc)$/.exec(sort) ?? [];
  if (direction === undefined) return fault('sort_invalid', 'A sort is written <fieldId>:asc or <fieldId>:desc.');
  const descending = direction === 'desc';
  const field = collection.byId.get(id);
  if (field && isActive(field)) {
    if (isSortable(field)) return { by: field, descending };
    return fault('field_not_sortable', 'A repeated field, a group or an asset does not sort.');
  }
  if (id === 'createdAt' || id === 'updatedAt') return { by: id, descending };
  return fault('field_unknown', 'There is no such active field.');
}

type Refuse = (code: string, detail: string) => undefined;

function readFilter(collection: Collection, listing: Listing, name: string, text: string, refuse: Refuse): undefined {
  const [, id = '', operator = ''] = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/.exec(name) ?? [];
  if (operator === '') return refuse('filter_invalid', 'A filter is written filter[<fieldId>][<operator>]=<value>.');
  const field = collection.byId.get(id);
  if (!field || !isActive(field)) return refuse('field_unknown', 'There is no such active field.');
  const possible = OPERATORS_OF[field.type];
  if (!possible.includes(operator as Operator)) {
    return refuse('operator_unknown', `A field of type "${field.type}" is filtered by ${possible.join(', ')}.`);
  }
  if (operator === 'contains') {
    const contains = fold(text);
    if (contains === '') refuse('value_invalid', 'contains needs some text.');
    else listing.containsFilters.push({ field, contains });
    return;
  }
  const ranges = readRanges(field, operator as Operator, text, refuse);
  if (ranges === undefined) return;
  const negated = operator === 'ne' && field.repeated;
  const filter = { field, ranges: operator === 'ne' && !negated ? complement(ranges) : ranges, negated };
  // A single value that must be in two sets must be in what they share; of several values each may be in one of them.
  const same = field.repeated ? undefined : listing.keyFilters.find((each) => each.field === field);
  if (same) same.ranges = intersect(same.ranges, filter.ranges);
  else listing.keyFilters.push(filter);
}

function readRanges(field: Field, operator: Operator, text: string, refuse: Refuse): KeyRanges | undefined {
  if (operator === 'exists') {
    if (text === 'true') return PRESENT;
    if (text === 'false') return ABSENT;
    return refuse('value_invalid', 'exists is true or false.');
  }
  const texts = operator === 'in' ? splitList(text) : [text];
  if (texts.length > LIMITS.inValues) return refuse('too_many', `in takes at most ${LIMITS.inValues} values.`);
  const values = texts.map((each) => readValue(field, each));
  const wrong = values.find((value): value is Wrong => value instanceof Wrong);
  if (wrong) return refuse(wrong.code, wrong.detail);
  if (operator === 'eq' || operator === 'ne' || operator === 'in') {
    return exactly(values.map((value) => sortKey(field.type, value)));
  }
  const isText = field.type === 'text';
  const place = isText ? textPrefix(texts[0] ?? '') : sortKey(field.type, values[0]);
  const behind = isText ? afterPlace(place) : after(place);
  switch (operator) {
    case 'lt':
      return between('', place);
    case 'lte':
      return between('', behind);
    case 'gt':
      return between(behind, MISSING);
    case 'gte':
      return between(place, MISSING);
    default:
      return ANY;
  }
}

/** `a,b` is a and b; a comma, or a backslash, that belongs to a value has a backslash before it. */
export function splitList(text: string): string[] {
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; i++) {
    const [char = '', next] = [text[i], text[i + 1]];
    if (char === ',') {
      values.push(value);
      value = '';
    } else if (char === '\\' && (next === ',' || next === '\\')) {
      value += next;
      i++;
    } else value += char;
  }
  return [...values, value];
}

class Wrong {
  readonly code: string;
  readonly detail: string;

  constructor(code: string, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value of the field's type as a query writes it. */
function readValue(field: Field, text: string): unknown {
  switch (field.type) {
    case 'number': {
      const value = NUMBER.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? value : new Wrong('value_invalid', 'The value must be a number.');
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      return new Wrong('value_invalid', 'The value must be true or false.');
    case 'date':
      return isDate(text)
        ? text
        : new Wrong('value_invalid', 'The value must be a day that exists, written YYYY-MM-DD.');
    case 'timestamp':
      if (parseTimestamp(text) !== undefined) return text;
      return new Wrong('value_invalid', 'The value must be an RFC 3339 timestamp with its offset.');
    case 'url':
      return isWebUrl(text) ? text : new Wrong('value_invalid', 'The value must be an http or https URL.');
    case 'select':
      if (field.options?.some((option) => option.value === text)) return text;
      return new Wrong('option_unknown', 'The value must be one of the options.');
    case 'asset':
      if (parseId('ast', text) !== undefined) return { assetId: text };
      return new Wrong('value_invalid', 'The value must be the id of an asset.');
    default:
      return text;
  }
}
