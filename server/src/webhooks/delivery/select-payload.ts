import { rawAsText } from '../../shared/json.ts';
import type { Filter } from '../contract.ts';
import type { EndpointRow } from '../endpoints/queries.ts';
import type { Payload } from '../topics/payloads.ts';

/** What every payload contains: with it, its resource and the order of its changes are known. */
const ALWAYS = ['id', 'collectionId', 'sequence'];

type Selection = Pick<EndpointRow, 'payload' | 'fields'>;

/** Endpoints with the same selection receive the same messages. */
export const selectionKey = ({ payload, fields }: Selection) => `${payload} ${fields === null ? '' : fields.join(' ')}`;

/** The payload with the members that an endpoint wants. */
export function selectPayload(payload: Payload, { payload: size, fields }: Selection): Payload {
  if (size === 'full' && fields === null) return payload;
  const paths = size === 'thin' ? ALWAYS : [...ALWAYS, ...(fields ?? [])];
  return {
    ...payload,
    data: select(
      payload.data,
      paths.map((path) => path.split('.')),
    ) as object,
  };
}

function select(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => select(each, paths));
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || paths.some(({ length }) => length === 0))
    return value;
  const selected = [];
  for (const [name, inside] of Object.entries(value)) {
    const wanted = paths.filter(([first]) => first === name);
    if (wanted.length > 0)
      selected.push([
        name,
        select(
          inside,
          wanted.map(([, ...rest]) => rest),
        ),
      ] as const);
  }
  // Not assigned: a member may be called `__proto__`.
  return Object.fromEntries(selected);
}

/** Whether an endpoint receives a payload: its collection is wanted, and it meets all filters. */
export function wants({ collection_ids, filters }: EndpointRow, { type, data }: Payload): boolean {
  const isOther = collection_ids !== null && type.startsWith('entry.');
  if (isOther && !collection_ids.includes((data as { collectionId?: string }).collectionId ?? '')) return false;
  return filters === null || filters.every((filter) => meets(filter, rawAsText(read(data, filter.field.split('.')))));
}

function read(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return read((value as Record<string, unknown>)[name], rest);
}

function meets({ operator, value }: Filter, actual: unknown): boolean {
  if (operator === 'exists') return (actual !== undefined && actual !== null) === value;
  if (operator === 'ne') return !isAny(actual, value);
  if (operator === 'eq' || operator === 'in') return isAny(actual, value);
  if (operator === 'contains') {
    return typeof actual === 'string' ? actual.includes(String(value)) : Array.isArray(actual) && isAny(actual, value);
  }
  const order = compare(actual, value as string | number);
  switch (operator) {
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
  }
}

/** Whether one of the actual values is one of those of the filter. Null stands for a member that is absent, too. */
function isAny(actual: unknown, value: Filter['value']): boolean {
  const values = Array.isArray(value) ? value : [value];
  const found = Array.isArray(actual) ? actual : [actual ?? null];
  return found.some((each) =>
    values.some((one) => each === one || (typeof one === 'number' && toNumber(each) === one)),
  );
}

/** Amounts of money are texts: they are compared as numbers if the filter has a number. NaN if they cannot be compared. */
function compare(actual: unknown, value: string | number): number {
  if (typeof value === 'number') return toNumber(actual) - value;
  if (typeof actual !== 'string') return Number.NaN;
  return actual < value ? -1 : Number(actual > value);
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
