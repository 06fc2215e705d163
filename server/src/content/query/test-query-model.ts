import type { Values } from '../entries/check-values.ts';

// A naive model of queries beside the service: it keeps all entries in memory, and reads each value by its path. It knows nothing of indexes, keys
// or SQL, and folds texts by itself.

export type State = 'draft' | 'published' | 'public';

export interface Stored {
  id: string;
  collection: string;
  values: Values;
  version: number;
  isDeleted: boolean;
  published: { values: Values; version: number } | undefined;
}

export interface World {
  entries: Map<string, Stored>;
}

/** What an entry is for whom reads it. */
export interface Seen {
  id: string;
  collection: string;
  values: Values;
  version: number;
}

export interface Reading {
  state: State;
  locale: string | undefined;
}

export const fieldTypes: Record<string, string> = {
  title: 'text',
  'title@de': 'text',
  name: 'text',
  price: 'number',
  exact: 'decimal',
  age: 'number',
  flag: 'boolean',
  day: 'date',
  at: 'timestamp',
  kind: 'select',
  tags: 'text',
  nums: 'number',
  place: 'point',
  deep: 'text',
  sku: 'text',
  qty: 'number',
  size: 'number',
  text: 'text',
  who: 'reference',
  author: 'reference',
  related: 'reference',
  country: 'reference',
  version: 'number',
  createdAt: 'id',
  id: 'id',
};
const LISTS = new Set(['tags', 'nums', 'related']);

export function seen(stored: Stored, { state, locale }: Reading): Seen | undefined {
  if (stored.isDeleted) return undefined;
  const { id, collection } = stored;
  const from = state === 'draft' ? stored : stored.published;
  if (!from) return undefined;
  const values = { ...from.values };
  if (locale === 'de' && values['title@de'] !== undefined) values.title = values['title@de'];
  return { id, collection, values, version: from.version };
}

/** Case and accents ignored, as written in the documentation. */
const plain = (text: unknown) =>
  String(text)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');

function compareOf(name: string, a: unknown, b: unknown): number {
  const type = fieldTypes[name];
  if (type === 'number') return Number(a) - Number(b);
  if (type === 'decimal') return Math.round(Number(a) * 100) - Math.round(Number(b) * 100);
  if (type === 'boolean') return Number(a) - Number(b);
  const [x, y] = type === 'text' ? [plain(a), plain(b)] : [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const isEqual = (name: string, a: unknown, b: unknown) =>
  fieldTypes[name] === 'decimal' ? compareOf(name, a, b) === 0 : String(a) === String(b);

/** The values at the end of a path, through groups, rows, blocks and references. */
export function valuesAt(world: World, entry: Seen, path: string, reading: Reading): unknown[] {
  const [first = '', ...rest] = path.split('.');
  if (first === 'id') return [entry.id];
  // An ID starts with its milliseconds, which entries that are made together share.
  if (first === 'createdAt') return [entry.id.slice(0, 'ent_'.length + 10)];
  if (first === 'version' && entry.collection === 'things') return [entry.version];
  return within(world, entry.values, [first, ...rest], reading);
}

function within(world: World, holder: Values, [name = '', ...rest]: readonly string[], reading: Reading): unknown[] {
  const value = holder[name];
  if (value === undefined || value === null) return [];
  const items: unknown[] = [value].flat();
  if (fieldTypes[name] === 'reference') {
    // Everyone sees a reference only if its entry is public.
    const targets = items.flatMap((id) => visible(world, String(id), reading));
    if (rest.length === 0) return reading.state === 'public' ? targets.map(({ id }) => id) : items;
    return targets.flatMap((target) => valuesAt(world, target, rest.join('.'), reading));
  }
  if (rest.length === 0) return items;
  if (name === 'blocks') {
    const [block, ...others] = rest;
    const rows = (items as Values[]).filter((row) => row._block === block);
    return others.length === 0 ? rows : rows.flatMap((row) => within(world, row, others, reading));
  }
  return (items as Values[]).flatMap((row) => within(world, row, rest, reading));
}

function visible(world: World, id: string, reading: Reading): Seen[] {
  const target = world.entries.get(id);
  const found = target && seen(target, reading);
  return found ? [found] : [];
}

export type Condition = Record<string, unknown>;

/** Whether a condition in JSON holds. */
export function holds(world: World, entry: Seen, where: Condition, reading: Reading): boolean {
  return Object.entries(where).every(([name, value]) => {
    if (name === 'and') return (value as Condition[]).every((each) => holds(world, entry, each, reading));
    if (name === 'or') return (value as Condition[]).some((each) => holds(world, entry, each, reading));
    if (name === 'not') return !holds(world, entry, value as Condition, reading);
    return Object.entries(value as Condition).every(([operator, operand]) =>
      leafHolds(world, entry, name, operator, operand, reading),
    );
  });
}

function leafHolds(
  world: World,
  entry: Seen,
  path: string,
  operator: string,
  operand: unknown,
  reading: Reading,
): boolean {
  const name = path.split('.').at(-1) ?? '';
  if (operator === 'some' || operator === 'every' || operator === 'none') {
    return quantified(world, entry, path, operator, operand, reading);
  }
  const values = valuesAt(world, entry, path, reading);
  return operatorHolds(name, values, operator, operand);
}

function operatorHolds(name: string, values: readonly unknown[], operator: string, operand: unknown): boolean {
  const any = (test: (value: unknown) => boolean) => values.some(test);
  const list = operand as unknown[];
  switch (operator) {
    case 'eq':
      return any((value) => isEqual(name, value, operand));
    case 'ne':
      return !operatorHolds(name, values, 'eq', operand);
    case 'in':
      return list.some((each) => operatorHolds(name, values, 'eq', each));
    case 'nin':
      return !operatorHolds(name, values, 'in', operand);
    case 'all':
      return list.every((each) => operatorHolds(name, values, 'eq', each));
    case 'exists':
      return values.length > 0 === operand;
    case 'lt':
      return any((value) => compareOf(name, value, operand) < 0);
    case 'lte':
      return any((value) => compareOf(name, value, operand) <= 0);
    case 'gt':
      return any((value) => compareOf(name, value, operand) > 0);
    case 'gte':
      return any((value) => compareOf(name, value, operand) >= 0);
    case 'between':
      return any((value) => compareOf(name, value, list[0]) >= 0 && compareOf(name, value, list[1]) <= 0);
    case 'ieq':
      return any((value) => plain(value) === plain(operand));
    case 'contains':
      return any((value) => plain(value).includes(plain(operand)));
    case 'startsWith':
      return any((value) => plain(value).startsWith(plain(operand)));
    case 'endsWith':
      return any((value) => plain(value).endsWith(plain(operand)));
    case 'near': {
      const [lat = 0, lng = 0, metres = 0] = String(operand).split(',').map(Number);
      return any((value) => distance(value as Place, { lat, lng }) <= metres);
    }
    default:
      throw new Error(operator);
  }
}

interface Place {
  lat: number;
  lng: number;
}

function distance(a: Place, b: Place): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [p, q] = [rad(a.lat), rad(b.lat)];
  const half = Math.sin((q - p) / 2) ** 2 + Math.cos(p) * Math.cos(q) * Math.sin(rad(b.lng - a.lng) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** `some`, `every` and `none` of values, rows or referenced entries. */
function quantified(
  world: World,
  entry: Seen,
  path: string,
  operator: string,
  operand: unknown,
  reading: Reading,
): boolean {
  const name = path.split('.').at(-1) ?? '';
  const condition = operand as Condition;
  let tests: boolean[];
  if (fieldTypes[name] === 'reference') {
    const ids = valuesAt(world, entry, path, reading).flatMap((id) => visible(world, String(id), reading));
    tests = ids.map((target) => holds(world, target, condition, reading));
  } else if (LISTS.has(name)) {
    if (Array.isArray(operand)) return !operatorHolds(name, valuesAt(world, entry, path, reading), 'in', operand);
    tests = valuesAt(world, entry, path, reading).map((value) =>
      Object.entries(condition).every(([each, own]) => operatorHolds(name, [value], each, own)),
    );
  } else {
    const rows = valuesAt(world, entry, path, reading) as Values[];
    tests = rows.map((values) => holds(world, { id: '', collection: 'rows', values, version: 0 }, condition, reading));
  }
  if (operator === 'some') return tests.some(Boolean);
  return operator === 'every' ? tests.every(Boolean) : !tests.some(Boolean);
}

/** The entries of a list, in its order. */
export function listed(
  world: World,
  where: Condition,
  sort: readonly [path: string, direction: string][],
  reading: Reading,
): Seen[] {
  const all = [...world.entries.values()].flatMap((stored) => {
    if (stored.collection !== 'things') return [];
    const entry = seen(stored, reading);
    return entry && holds(world, entry, where, reading) ? [entry] : [];
  });
  const keys = new Map(
    all.map((entry) => [entry.id, sort.map(([path]) => sortValue(world, entry, path, reading))] as const),
  );
  return all.sort((a, b) => {
    for (const [i, [path, direction]] of sort.entries()) {
      const [x, y] = [keys.get(a.id)?.[i], keys.get(b.id)?.[i]];
      if (x === undefined || y === undefined) {
        if (x === y) continue;
        return x === undefined ? 1 : -1;
      }
      const order = compareOf(path.split('.').at(-1) ?? '', x, y);
      if (order !== 0) return direction === 'desc' ? -order : order;
    }
    const isDescending = sort.at(-1)?.[1] === 'desc';
    return a.id < b.id === isDescending ? 1 : -1;
  });
}

/** In a locale, texts are sorted by those of the locale alone. */
function sortValue(world: World, entry: Seen, path: string, reading: Reading): unknown {
  if (reading.locale === 'de' && path === 'title') return entry.values['title@de'];
  return valuesAt(world, entry, path, reading)[0];
}

/** Groups by a path: the number of entries, and the sum of a measure. */
export function grouped(
  world: World,
  where: Condition,
  path: string,
  measure: string,
  reading: Reading,
): Map<string, { n: number; sum: number | null }> {
  const groups = new Map<string, { n: number; sum: number | null }>();
  for (const entry of listed(world, where, [], reading)) {
    const keys = [...new Set(valuesAt(world, entry, path, reading).map((value) => JSON.stringify(value)))];
    const values = valuesAt(world, entry, measure, reading).map(Number);
    for (const key of keys.length > 0 ? keys : ['null']) {
      const group = groups.get(key) ?? { n: 0, sum: null };
      group.n++;
      if (values.length > 0) group.sum = (group.sum ?? 0) + values.reduce((sum, value) => sum + value, 0);
      groups.set(key, group);
    }
  }
  return groups;
}
