import fc from 'fast-check';
import type { Values } from './entries/check-values.ts';
import { fold } from './field-types/fold.ts';
import { typeOf } from './field-types/index.ts';
import { compareKeys } from './field-types/sort-key.ts';

const urlKey = (value: string) => typeOf({ type: 'url' }).sortKey(value);

const OPTIONS = ['red', 'green', 'blue, dark', 'back\\slash', 'Red'];
export const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'flag', label: 'Flag', type: 'boolean' },
  { id: 'day', label: 'Day', type: 'date' },
  { id: 'at', label: 'At', type: 'timestamp' },
  { id: 'link', label: 'Link', type: 'url' },
  { id: 'colour', label: 'Colour', type: 'select', options: OPTIONS.map((value) => ({ value, label: value })) },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'sizes', label: 'Sizes', type: 'number', repeated: true },
  { id: 'box', label: 'Box', type: 'group', fields: [{ id: 'note', label: 'Note', type: 'text' }] },
];

const words = fc.constantFrom(
  '',
  'a',
  'A',
  'Á',
  'ab',
  'abc',
  'Abc d',
  'éclair',
  'Eclair',
  'Straße',
  'strasse',
  'x%y',
  'x_y',
  'a\\b',
  '日本語',
  '𝒳',
  '\u{10ffff}',
  `${'long '.repeat(60)}1`,
  `${'long '.repeat(60)}2`,
);
const value: Record<string, fc.Arbitrary<unknown>> = {
  title: words,
  price: fc.constantFrom(0, -1, 1, 1.5, -1e300, 1e300, 5e-324, 10, 9),
  flag: fc.boolean(),
  day: fc.constantFrom('2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31'),
  at: fc.constantFrom('2024-02-29T12:00:00.000Z', '1999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'),
  link: fc.constantFrom(
    'https://a.test/',
    'http://a.test/B',
    'http://a.test/b',
    `https://a.test/${'y'.repeat(300)}1`,
    `https://a.test/${'y'.repeat(300)}2`,
  ),
  colour: fc.constantFrom(...OPTIONS),
  tags: fc.array(words, { maxLength: 3 }),
  sizes: fc.array(fc.constantFrom(1, 2, 3), { maxLength: 3 }),
  box: fc.oneof(
    fc.constant({}),
    words.map((note) => ({ note })),
  ),
};
/** Arbitrary values of an entry. */
export const values = fc.record(value, { requiredKeys: [] });

/** The parts of an entry that the model needs. */
export interface Model {
  id: string;
  values: Values;
  createdAt: string;
  updatedAt: string;
}

const fieldTypes = new Map(FIELDS.map((field) => [field.id, field.type]));

/** The order of two values of a field. Texts that are equal in case, accents and their first 256 characters are ties. */
function compareValues(id: string, a: unknown, b: unknown): number {
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b);
  if (id !== 'title') {
    const [x, y] = [String(a), String(b)];
    return compareKeys(x.slice(0, 256), y.slice(0, 256)) || compareKeys(urlKey(x), urlKey(y));
  }
  const place = (text: unknown) => fold(String(text)).replaceAll('\u{10ffff}', ' ').slice(0, 256);
  return compareKeys(place(a), place(b));
}

function compareBy(sort: string): (a: Model, b: Model) => number {
  const [id = '', direction] = sort.split(':');
  const turn = direction === 'desc' ? -1 : 1;
  const byId = (a: Model, b: Model) => turn * (a.id < b.id ? -1 : 1);
  if (id === 'createdAt') return byId;
  if (id === 'updatedAt')
    return (a, b) => (a.updatedAt === b.updatedAt ? byId(a, b) : turn * (a.updatedAt < b.updatedAt ? -1 : 1));
  return (a, b) => {
    const [x, y] = [a.values[id], b.values[id]];
    if (x === undefined || y === undefined) return x === y ? byId(a, b) : x === undefined ? 1 : -1;
    return turn * compareValues(id, x, y) || byId(a, b);
  };
}

type Filter = [field: string, operator: string, operand: unknown];

function fulfils(model: Model, [id, operator, operand]: Filter): boolean {
  const own = model.values[id];
  const all: unknown[] = own === undefined ? [] : [own].flat();
  const compare = (test: (order: number) => boolean) => all.some((each) => test(compareForRange(id, each, operand)));
  switch (operator) {
    case 'eq':
      return all.includes(operand);
    case 'ne':
      return !all.includes(operand);
    case 'in':
      return all.some((each) => (operand as unknown[]).includes(each));
    case 'lt':
      return compare((order) => order < 0);
    case 'lte':
      return compare((order) => order <= 0);
    case 'gt':
      return compare((order) => order > 0);
    case 'gte':
      return compare((order) => order >= 0);
    case 'contains':
      return all.some((each) => fold(String(each)).includes(fold(String(operand))));
    case 'exists':
      return all.length > 0 === operand;
    default:
      throw new Error(operator);
  }
}

function compareForRange(id: string, a: unknown, b: unknown): number {
  if (fieldTypes.get(id) !== 'text') return compareValues(id, a, b);
  const place = (text: unknown) => fold(String(text)).replaceAll('\u{10ffff}', ' ').slice(0, 256);
  return compareKeys(place(a), place(b));
}

function matches(model: Model, q: string): boolean {
  const texts = [model.values.title, model.values.tags, (model.values.box as Values | undefined)?.note];
  const folded = texts.flat().map((text) => fold(String(text ?? '')));
  return fold(q)
    .split(/\s+/)
    .every((word) => folded.some((text) => text.includes(word)));
}

const written = (operand: unknown) =>
  Array.isArray(operand) ? operand.map((each) => String(each).replace(/[\\,]/g, '\\$&')).join(',') : String(operand);

const operand = (id: string): fc.Arbitrary<unknown> => {
  if (id === 'tags') return words;
  if (id === 'sizes') return fc.constantFrom(0, 1, 2, 3);
  return value[id] ?? fc.constant('');
};
const filterOf = (id: string): fc.Arbitrary<Filter> => {
  const type = fieldTypes.get(id);
  const kinds: fc.Arbitrary<Filter>[] = [fc.boolean().map((is): Filter => [id, 'exists', is])];
  if (type !== 'group') {
    kinds.push(
      fc.tuple(fc.constantFrom('eq', 'ne'), operand(id)).map(([operator, each]): Filter => [id, operator, each]),
      fc.array(operand(id), { minLength: 1, maxLength: 3 }).map((each): Filter => [id, 'in', each]),
    );
  }
  if (type === 'text' || type === 'number' || type === 'date' || type === 'timestamp') {
    kinds.push(
      fc
        .tuple(fc.constantFrom('lt', 'lte', 'gt', 'gte'), operand(id))
        .map(([operator, each]): Filter => [id, operator, each]),
    );
  }
  if (type === 'text') {
    kinds.push(
      fc
        .constantFrom('a', 'B', 'abc', 'CLAIR', 'x%', '_', '\\', 'ng 1', '日本語')
        .map((each): Filter => [id, 'contains', each]),
    );
  }
  return fc.oneof(...kinds);
};
const filter = fc.constantFrom(...FIELDS.map(({ id }) => id)).chain(filterOf);
const sort = fc
  .tuple(
    fc.constantFrom('createdAt', 'updatedAt', 'title', 'price', 'flag', 'day', 'at', 'link', 'colour'),
    fc.constantFrom('asc', 'desc'),
  )
  .map((parts) => parts.join(':'));
const q = fc.option(fc.constantFrom('abc', 'a', 'ecl AIR', 'long 2', 'x%y', 'abc d', 'none', '日本語'), {
  nil: undefined,
});

/** A list request. */
export interface ListQuery {
  filters: Filter[];
  sort: string | undefined;
  q: string | undefined;
}

export const listQuery: fc.Arbitrary<ListQuery> = fc.record({
  filters: fc.array(filter, { maxLength: 3 }),
  sort: fc.option(sort, { nil: undefined }),
  q,
});

export function queryOf({ filters, sort, q }: ListQuery): [string, string][] {
  return [
    ...filters.map(([id, operator, each]): [string, string] => [`filter[${id}][${operator}]`, written(each)]),
    ...(sort === undefined ? [] : [['sort', sort] as [string, string]]),
    ...(q === undefined ? [] : [['q', q] as [string, string]]),
  ];
}

/** A field with one value that has several filters `in` has one of their values, unless a list among them makes them filters of their own. */
function joined(filters: Filter[]): Filter[] {
  const lists = Map.groupBy(
    filters.filter(([, operator]) => operator === 'in'),
    ([id]) => id,
  );
  return filters.map((filter) => {
    const [id, operator] = filter;
    const all = operator === 'in' ? (lists.get(id) ?? []) : [];
    const isRepeated = FIELDS.some((field) => field.id === id && field.repeated);
    if (all.length < 2 || isRepeated || all.some(([, , values]) => /[,\\]/.test(written(values)))) return filter;
    return [id, 'in', all.flatMap(([, , values]) => values)];
  });
}

/** The entries that a listing should return, computed without an index. */
export function modelOf<M extends Model>(entries: Iterable<M>, { filters, sort = 'createdAt:asc', q }: ListQuery): M[] {
  const all = joined(filters);
  return [...entries]
    .filter((entry) => all.every((each) => fulfils(entry, each)))
    .filter((entry) => q === undefined || matches(entry, q))
    .sort(compareBy(sort));
}
