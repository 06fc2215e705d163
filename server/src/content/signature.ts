import type { Field } from './collection.ts';
import type { Keys } from './index-entry.ts';
import { type KeyRanges, pointsOf } from './key-ranges.ts';
import { compareKeys, MISSING } from './sort-key.ts';

/**
 * The signature of an entry: 63 bits in which each of its first fields has a slot, that holds one of 64 marks (4 of a
 * boolean). Equal values have equal marks; different ones mostly have not. Every row of the index carries it, so that a
 * filter on one field is judged, but for a doubt that a look-up settles, while the order of another is read.
 */
export interface Slot {
  /** The lowest bit. */
  offset: number;
  /** How many bits. */
  width: number;
}

const BITS = 63;
const NO_VALUE = 0;

/** The next free slot for a field of this kind; undefined where it has no use for one, or none is left. */
export function nextSlot(field: Pick<Field, 'type' | 'repeated'>, taken: readonly Field[]): Slot | undefined {
  const width = field.repeated ? 0 : WIDTHS[field.type];
  const offset = Math.max(0, ...taken.map(({ slot }) => (slot ? slot.offset + slot.width : 0)));
  return width && offset + width <= BITS ? { offset, width } : undefined;
}

// Not for texts and URLs: what is equal to one of these is rare, and found by itself.
const WIDTHS: { [type in Field['type']]?: number } = { boolean: 2, number: 6, date: 6, timestamp: 6, select: 6 };

export function signatureOf(fields: readonly Field[], keys: Keys): bigint {
  let signature = 0n;
  for (const { type, key, slot } of fields) {
    const sortKey = keys[key];
    if (slot && typeof sortKey === 'string') signature |= BigInt(markOf(type, sortKey)) << BigInt(slot.offset);
  }
  return signature;
}

/**
 * The marks that an entry which the filter lets through may have: bit n for the mark n, as PostgreSQL's bigint.
 * undefined: any.
 */
export function allowedMarks({ type, slot }: Field, ranges: KeyRanges): bigint | undefined {
  if (!slot) return undefined;
  const marks = new Set<number>();
  const every = 2 ** slot.width;
  const points = pointsOf(ranges);
  if (points) for (const key of points) marks.add(markOf(type, key));
  else {
    for (let i = 0; i < ranges.length; i += 2) {
      const [low = '', high = ''] = ranges.slice(i, i + 2);
      if (compareKeys(high, MISSING) > 0) marks.add(NO_VALUE);
      for (const mark of marksBetween(type, low, high) ?? Array.from({ length: every - 1 }, (_, n) => n + 1)) {
        marks.add(mark);
      }
    }
  }
  if (marks.size === every) return undefined;
  const bits = [...marks].reduce((sum, mark) => sum | (1n << BigInt(mark)), 0n);
  return BigInt.asIntN(64, bits);
}

/** From 1 on. */
function markOf(type: Field['type'], key: string): number {
  if (key === MISSING) return NO_VALUE;
  if (type === 'boolean') return 1 + Number(key);
  if (type === 'date' || type === 'timestamp') return 1 + ((monthOf(key) ?? 0) % 63);
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return 1 + ((hash >>> 0) % 63);
}

/** Months have marks in turn, so that a span of time has few; of other ranges nothing can be said. */
function marksBetween(type: Field['type'], low: string, high: string): number[] | undefined {
  if (type !== 'date' && type !== 'timestamp') return undefined;
  const [from, to] = [monthOf(low), monthOf(high)];
  if (from === undefined || to === undefined || to - from >= 62) return undefined;
  return Array.from({ length: to - from + 1 }, (_, i) => 1 + ((from + i) % 63));
}

function monthOf(key: string): number | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(key) ?? [];
  return year === undefined ? undefined : Number(year) * 12 + Number(month);
}
