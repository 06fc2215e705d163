import type { Fault } from '../../shared/errors.ts';
import { type Collection, type Field, isActive, isSortable } from '../collections/collection.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { OPERATORS, type Operator, ValueFault } from '../field-types/field-type.ts';
import { fold } from '../field-types/fold.ts';
import { typeOf } from '../field-types/index.ts';
import { MISSING } from '../field-types/sort-key.ts';
import { LIMITS } from '../limits.ts';
import { ABSENT, between, complement, exactly, intersect, type KeyRanges, PRESENT } from './key-ranges.ts';

/** Entries with a key of the field in `ranges`; with `negated`, entries without one. */
export interface KeyFilter {
  field: Field;
  ranges: KeyRanges;
  negated: boolean;
}

/** Entries whose text field contains a folded text. */
export interface ContainsFilter {
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
}

/** Parses `sort`, `filter[…][…]` and `q` by the types of the collection's fields. Adds faults to `faults`. */
export function parseListing(collection: Collection, query: EntriesQuery, faults: Fault[]): Listing {
  const listing: Listing = {
    order: parseOrder(collection, query.sort, faults),
    keyFilters: [],
    containsFilters: [],
    words: fold(query.q ?? '')
      .split(/\s+/)
      .filter(Boolean),
  };
  const sent = Object.entries(query)
    .filter(([name]) => name.startsWith('filter['))
    .flatMap(([name, value]) => [value as string | string[]].flat().map((text) => ({ name, text })));
  if (sent.length > LIMITS.filters) {
    const detail = `A list request has at most ${LIMITS.filters} filters.`;
    faults.push({ pointer: `?${sent[LIMITS.filters]?.name}`, code: 'too_many', detail });
    return listing;
  }
  for (const { name, text } of sent) {
    const fault = addFilter(collection, listing, name, text);
    if (fault) faults.push({ pointer: `?${name}`, code: fault.code, detail: fault.detail });
  }
  return listing;
}

function parseOrder(collection: Collection, sort: string | undefined, faults: Fault[]): Order {
  const creation: Order = { by: 'createdAt', descending: false };
  const fault = (code: string, detail: string): Order => {
    faults.push({ pointer: '?sort', code, detail });
    return creation;
  };
  if (sort === undefined) {
    const defaultSort = collection.row.default_sort;
    const field = defaultSort && collection.byId.get(defaultSort.fieldId);
    return field ? { by: field, descending: defaultSort.direction === 'desc' } : creation;
  }
  const [, id = '', direction] = /^([^:]*):(asc|desc)$/.exec(sort) ?? [];
  if (direction === undefined) return fault('sort_invalid', 'Write sort as <fieldId>:asc or <fieldId>:desc.');
  const descending = direction === 'desc';
  const field = collection.byId.get(id);
  if (field && isActive(field)) {
    if (isSortable(field)) return { by: field, descending };
    return fault('field_not_sortable', `Entries cannot be sorted by "${field.label}". ${NOT_SORTABLE}`);
  }
  if (id === 'createdAt' || id === 'updatedAt') return { by: id, descending };
  return fault('field_unknown', `There is no active field with the ID "${id}".`);
}

export const NOT_SORTABLE = 'Repeated fields, groups and assets have no order.';

/** Adds a filter to the listing, or returns why it is invalid. */
function addFilter(collection: Collection, listing: Listing, name: string, text: string): ValueFault | undefined {
  const [, id = '', operator = ''] = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/.exec(name) ?? [];
  if (operator === '') {
    return new ValueFault('filter_invalid', 'Write a filter as filter[<fieldId>][<operator>]=<value>.');
  }
  const field = collection.byId.get(id);
  if (!field || !isActive(field)) {
    return new ValueFault('field_unknown', `There is no active field with the ID "${id}".`);
  }
  const { operators } = typeOf(field);
  if (!isOperator(operator) || !operators.includes(operator)) {
    const detail = `Filters on "${field.label}", of type "${field.format ?? field.type}", support ${operators.join(', ')}.`;
    return new ValueFault('operator_unknown', detail);
  }
  if (operator === 'contains') {
    const folded = fold(text);
    if (folded === '') return new ValueFault('value_invalid', 'The operator contains needs a text.');
    listing.containsFilters.push({ field, text: folded });
    return undefined;
  }
  const ranges = parseRanges(field, operator, text);
  if (ranges instanceof ValueFault) return ranges;
  const negated = operator === 'ne' && field.repeated;
  const filter = { field, ranges: operator === 'ne' && !negated ? complement(ranges) : ranges, negated };
  // A single value must be in all sets, so in their intersection; a repeated field can have a different value in each.
  const same = field.repeated ? undefined : listing.keyFilters.find((each) => each.field === field);
  if (same) same.ranges = intersect(same.ranges, filter.ranges);
  else listing.keyFilters.push(filter);
  return undefined;
}

const isOperator = (text: string): text is Operator => OPERATORS.some((each) => each === text);

/** The sort keys of the values that an operator selects; those it excludes for `ne`. */
function parseRanges(field: Field, operator: Exclude<Operator, 'contains'>, text: string): KeyRanges | ValueFault {
  if (operator === 'exists') {
    if (text === 'true') return PRESENT;
    if (text === 'false') return ABSENT;
    return new ValueFault('value_invalid', 'The operator exists takes true or false.');
  }
  const type = typeOf(field);
  const texts = operator === 'in' ? splitList(text) : [text];
  if (texts.length > LIMITS.filterValues) {
    return new ValueFault('too_many', `The operator in takes at most ${LIMITS.filterValues} values.`);
  }
  const values: unknown[] = [];
  for (const each of texts) {
    const value = type.parseOperand(each, field);
    if (value instanceof ValueFault) return value;
    values.push(value);
  }
  const [start, end] = type.sortRange(values[0]);
  switch (operator) {
    case 'eq':
    case 'ne':
    case 'in':
      return exactly(values.map((value) => type.sortKey(value)));
    case 'lt':
      return between('', start);
    case 'lte':
      return between('', end);
    case 'gt':
      return between(end, MISSING);
    case 'gte':
      return between(start, MISSING);
  }
}

/** Splits `a,b`. A backslash escapes a comma or a backslash that belongs to a value. */
function splitList(text: string): string[] {
  const values = [''];
  for (const [token] of text.matchAll(/\\[,\\]|,|[^,\\]+|\\/g)) {
    if (token === ',') values.push('');
    else values[values.length - 1] += token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  }
  return values;
}
