import { hash } from 'node:crypto';
import { isoTime, parseTimestamp } from '../shared/time.ts';
import type { FieldType } from './contract.ts';
import { fold } from './fold.ts';

/** Where an entry without a value stands in the index: behind every value's key. */
export const MISSING = '\u{10ffff}';

/** Of a longer text this many characters count for its place. */
export const SORTED_LENGTH = 256;

// Stands between a text as it is sorted and the digest that tells it from others of the same place.
const EXACTLY = '\u0001';

/**
 * The text under which a value is indexed. Keys of one type compare, as bytes of UTF-8, like the values; equal keys are
 * equal values. Never empty.
 */
export function sortKey(type: FieldType, value: unknown): string {
  switch (type) {
    case 'number':
      return numberKey(value as number);
    case 'boolean':
      return value ? '1' : '0';
    case 'date':
      return value as string;
    case 'timestamp':
      return isoTime(parseTimestamp(value as string) as number);
    case 'text':
      return exactKey(textPrefix(value as string), value as string);
    case 'select':
    case 'url':
      return exactKey(cut(value as string), value as string);
    case 'asset':
      return (value as { assetId: string }).assetId;
    case 'group':
      return '1';
  }
}

/** The key of a text without what tells it from others of the same place: what `lt`, `lte`, `gt` and `gte` compare. */
export function textPrefix(text: string): string {
  return cut(fold(text));
}

/** The key behind every key that begins with `prefix` and stands in its place, and before all others. */
export function afterPlace(prefix: string): string {
  return `${prefix}\u0002`;
}

/** The key directly behind `key`. */
export function after(key: string): string {
  return key + EXACTLY;
}

function exactKey(place: string, exact: string): string {
  if (place !== exact) return `${place}${EXACTLY}${hash('sha256', exact, 'base64').slice(0, 12)}`;
  return place === '' ? EXACTLY : place;
}

const UNSORTABLE = /[\p{Cc}\u{10ffff}]/gu;

function cut(text: string): string {
  const clean = text.replace(UNSORTABLE, ' ');
  if (clean.length <= SORTED_LENGTH) return clean;
  const short = clean.slice(0, SORTED_LENGTH);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

const bits = new DataView(new ArrayBuffer(8));

/** The bits of the double, in hexadecimal, so turned that they sort: the sign flipped, negative numbers inverted. */
function numberKey(value: number): string {
  // Adding 0 makes -0 a 0.
  bits.setFloat64(0, value + 0);
  const negative = value < 0;
  const high = bits.getUint32(0) ^ (negative ? 0xffffffff : 0x80000000);
  const low = bits.getUint32(4) ^ (negative ? 0xffffffff : 0);
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}

/** Compares keys as PostgreSQL's collation "C" does: by code point, not by UTF-16 unit. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return inOrder(x) - inOrder(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters behind U+FFFF. */
function inOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
