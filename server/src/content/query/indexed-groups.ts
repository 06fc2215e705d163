import type { Tx } from '../../shared/postgres/database.ts';
import type { BitRange, Field } from '../collections/field.ts';
import { sortsAlike } from '../field-types/index.ts';
import { bucketOf } from '../listing/filter-bitmap.ts';
import { ListingParameters, MISSING_SQL, type Scope } from '../listing/key-sql.ts';
import { nameOf } from '../listing/statement-names.ts';
import { isOwnField } from './aggregate-sql.ts';
import { isNumeric, type Query, type Source } from './parse-aggregate.ts';

// An index row of a number contains the number as its key, and a filter bitmap with the buckets of the values that entries are grouped by.
// If a field has few values, the bucket identifies the value, and an aggregation need not read entries, which halves its time.

/** The most values that a field can have. */
const MOST_KEYS = 63;

/** An aggregation that is read from the rows of one field. */
export interface IndexedGroups {
  /** The field whose index rows are read. */
  field: Field;
  keys: readonly { field: Field; bits: BitRange; sortKeys: string[]; places: number[] }[];
}

/** How the rows of an index alone tell the groups; undefined if they do not, or not yet. */
export async function findIndexedGroups(
  tx: Tx,
  scope: Scope,
  { keys, measures }: Query,
): Promise<IndexedGroups | undefined> {
  const grouped = keys.flatMap(({ source, by }) => (by === undefined ? (indexedField(source) ?? []) : []));
  const measured = measures.flatMap(({ source }) => source ?? []);
  const fields = measured.flatMap((source) => (isNumeric(source) ? (indexedField(source) ?? []) : []));
  const [field = grouped[0]] = fields;
  const isKnown = grouped.length === keys.length && fields.length === measured.length;
  const isCounted = measures.some(({ kind }) => kind === 'countDistinct');
  if (!field || !isKnown || isCounted || grouped.length === 0 || fields.some(({ key }) => key !== field.key))
    return undefined;
  if (grouped.some(({ filterBits }) => !filterBits)) return undefined;
  const parameters = new ListingParameters(scope);
  const columns = grouped.map((each, i) => `${sortKeysOf(parameters, each)} as k${i}`);
  const text = `select ${columns.join(', ')} where ${parameters.account} is not null and ${parameters.collection} is not null`;
  const { rows } = await tx.query<Record<string, string[]>>({ name: nameOf(text), text, values: parameters.values });
  const all = grouped.flatMap((each, i) => {
    const sortKeys = rows[0]?.[`k${i}`] ?? [];
    const { filterBits: bits } = each;
    const places = bits && placesOf(each, bits, sortKeys);
    return bits && places ? { field: each, bits, sortKeys, places } : [];
  });
  return all.length === grouped.length ? { field, keys: all } : undefined;
}

/** A field whose index has one row for each entry. */
function indexedField(source: Source): Field | undefined {
  if (source.kind !== 'field' || source.isMany || !isOwnField(source)) return undefined;
  const { field } = source;
  return field.pending || field.sources || sortsAlike(field) ? undefined : field;
}

/** A number for each of a field's keys: its bucket, or a greater one if it shares that with another. */
function placesOf(field: Field, { width }: BitRange, sortKeys: readonly string[]): number[] | undefined {
  if (sortKeys.length === 0 || sortKeys.length > MOST_KEYS) return undefined;
  const buckets = sortKeys.map((key) => bucketOf(field, key));
  const places = buckets.map((bucket, i) => (isShared(buckets, bucket) ? 2 ** width + i : bucket));
  const shared = places.filter((place, i) => place !== buckets[i]);
  return shared.length > sortKeys.length / 2 ? undefined : places;
}

const isShared = (buckets: readonly number[], bucket: number) =>
  buckets.indexOf(bucket) !== buckets.lastIndexOf(bucket);

/** The different keys of a field, as far as they are few: one step through the index for each. */
function sortKeysOf(parameters: ListingParameters, field: Field): string {
  const key = parameters.add('bigint', field.key);
  const next = (after: string) => `select i.sort_key from entry_index i
    where i.account_id = ${parameters.account} and i.field_key = ${key}${after} order by i.sort_key limit 1`;
  return `(with recursive keys as (
      (select first.sort_key, 1 as place from (${next('')}) as first)
      union all
      select next.sort_key, keys.place + 1 from keys
      cross join lateral (${next(' and i.sort_key > keys.sort_key')}) as next where keys.place <= ${MOST_KEYS}
    ) select array_agg(keys.sort_key order by keys.place) from keys)`;
}

/** The key of the measured field in a row of the index. */
export const INDEXED_KEY = `nullif(i.sort_key, ${MISSING_SQL})`;

/**
 * The rows of the index as `id`, `k0`, `k1`, … and these columns, where each key is the place of a sort key; and whether the fields
 * still have the same keys.
 */
export function indexedRows(
  parameters: ListingParameters,
  { field, keys }: IndexedGroups,
  columns: readonly string[],
): { rows: string; areKnown: string } {
  const all = keys.map((key, i) => {
    const { offset, width } = key.bits;
    const bucket = `((i.filter_bitmap >> ${offset}) & ${2 ** width - 1})`;
    const buckets = key.sortKeys.map((each) => bucketOf(key.field, each));
    const shared = buckets.filter((each) => isShared(buckets, each));
    const told =
      shared.length === 0
        ? bucket
        : `case when ${bucket} <> all(${parameters.add('bigint[]', shared)}) then ${bucket} end`;
    // Where a bucket is shared, and while the bitmap of an entry that is often changed is not kept.
    const stored = `select coalesce(e.sort_keys ->> ${parameters.add('text', String(key.field.key))}, ${MISSING_SQL})
      from ${parameters.entries} e where e.account_id = ${parameters.account} and e.id = i.entry_id`;
    const sortKeys = parameters.add('text[]', key.sortKeys);
    return {
      column: `coalesce(${told}, (${parameters.add('bigint[]', key.places)})[array_position(${sortKeys}, (${stored}))]) as k${i}`,
      isKnown: `${sortKeysOf(parameters, key.field)} = ${sortKeys}`,
    };
  });
  const rows = `select i.entry_id as id, ${[...all.map(({ column }) => column), ...columns].join(', ')} from entry_index i
    where i.account_id = ${parameters.account} and i.field_key = ${parameters.add('bigint', field.key)}
      and ${parameters.collection} is not null
    offset 0`;
  return { rows, areKnown: all.map(({ isKnown }) => isKnown).join(' and ') };
}
