import type { BitRange, Field } from '../collections/collection.ts';
import type { SortKeys } from '../entries/index-entry.ts';
import { typeOf } from '../field-types/index.ts';
import { compareKeys, MISSING } from '../field-types/sort-key.ts';
import { type KeyRanges, pointsOf } from './key-ranges.ts';

// The filter bitmap of an entry: 63 bits in which the first fields of a collection each have a range that holds the bucket
// of the entry's value. Equal values are in the same bucket; different values rarely are. Every row of the index carries
// the bitmap, so that a listing in the order of one field skips most entries that a filter on another field excludes
// without reading them.

const BITS = 63;
const NO_VALUE = 0;

/** The next free bits for a new field; undefined if its type has no use for them or none are left. */
export function allocateBits(
  field: Pick<Field, 'type' | 'format' | 'repeated'>,
  existing: readonly Field[],
): BitRange | undefined {
  const width = field.repeated ? 0 : (typeOf(field).filterBits?.width ?? 0);
  const offset = Math.max(
    0,
    ...existing.map(({ filterBits }) => (filterBits ? filterBits.offset + filterBits.width : 0)),
  );
  return width > 0 && offset + width <= BITS ? { offset, width } : undefined;
}

/** The filter bitmap of an entry as an integer in decimal. */
export function filterBitmapOf(fields: readonly Field[], keys: SortKeys): string {
  let bitmap = 0n;
  for (const field of fields) {
    const key = keys[field.key];
    if (!field.filterBits || typeof key !== 'string') continue;
    bitmap |= BigInt(bucketOf(field, key)) << BigInt(field.filterBits.offset);
  }
  return String(bitmap);
}

/**
 * The buckets that an entry whose key is in `ranges` can have: bit n for bucket n, as a signed 64-bit integer in decimal.
 * undefined: any.
 */
export function allowedBuckets(field: Field, ranges: KeyRanges): string | undefined {
  const { filterBits } = field;
  if (!filterBits) return undefined;
  const buckets = new Set<number>();
  const count = 2 ** filterBits.width;
  const points = pointsOf(ranges);
  if (points) for (const key of points) buckets.add(bucketOf(field, key));
  else {
    for (let i = 0; i < ranges.length; i += 2) {
      const [start = '', end = ''] = ranges.slice(i, i + 2);
      if (compareKeys(end, MISSING) > 0) buckets.add(NO_VALUE);
      const some = typeOf(field).filterBits?.bucketsBetween(start, end);
      for (const bucket of some ?? Array.from({ length: count - 1 }, (_, n) => n + 1)) buckets.add(bucket);
    }
  }
  if (buckets.size === count) return undefined;
  const bits = [...buckets].reduce((sum, bucket) => sum | (1n << BigInt(bucket)), 0n);
  return String(BigInt.asIntN(64, bits));
}

export function bucketOf(field: Field, key: string): number {
  return key === MISSING ? NO_VALUE : (typeOf(field).filterBits?.bucketOf(key) ?? NO_VALUE);
}
