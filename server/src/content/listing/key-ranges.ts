import { after, compareKeys, dividesTexts, indexRangeOf, MISSING } from '../field-types/sort-key.ts';

/**
 * A set of sort keys: start (included) and end (excluded) of each of its ranges, in order. Every filter on a field is such
 * a set, whatever its operator, and a scan of the index for each of its ranges.
 */
export type KeyRanges = readonly string[];

/** After every key and `MISSING`. */
export const END = MISSING + MISSING;

export const PRESENT: KeyRanges = ['', MISSING];
export const ABSENT: KeyRanges = [MISSING, END];

export function between(start: string, end: string): KeyRanges {
  return compareKeys(start, end) < 0 ? [start, end] : [];
}

export function exactly(keys: readonly string[]): KeyRanges {
  const sorted = [...new Set(keys)].sort(compareKeys);
  return sorted.flatMap((key) => [key, after(key)]);
}

/** Everything outside of `ranges`, including `MISSING` if it is not in `ranges`. */
export function complement(ranges: KeyRanges): KeyRanges {
  const inner = ranges[0] === '' ? ranges.slice(1) : ['', ...ranges];
  return inner.at(-1) === END ? inner.slice(0, -1) : [...inner, END];
}

export function intersect(a: KeyRanges, b: KeyRanges): KeyRanges {
  const result: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [aEnd = '', bEnd = ''] = [a[i + 1], b[j + 1]];
    const start = later(a[i] ?? '', b[j] ?? '');
    const end = earlier(aEnd, bEnd);
    if (compareKeys(start, end) < 0) result.push(start, end);
    if (end === aEnd) i += 2;
    else j += 2;
  }
  return result;
}

export function includesMissing(ranges: KeyRanges): boolean {
  return ranges.at(-1) === END;
}

/** The keys of a set that consists of single keys. */
export function pointsOf(ranges: KeyRanges): string[] | undefined {
  const points: string[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    const [start = '', end = ''] = ranges.slice(i, i + 2);
    if (start === MISSING && end === END) points.push(MISSING);
    else if (end === after(start)) points.push(start);
    else return undefined;
  }
  return points;
}

/** The starts and the ends, as two columns. */
export function bounds(ranges: KeyRanges): [starts: string[], ends: string[]] {
  return [ranges.filter((_, i) => i % 2 === 0), ranges.filter((_, i) => i % 2 === 1)];
}

/**
 * The ranges of the index that contain all keys of a set; other keys that sort like one of them, too.
 * @param sortsAlike as of the field's type
 */
export function indexRanges(ranges: KeyRanges, sortsAlike: boolean): KeyRanges {
  if (areIndexRanges(ranges, sortsAlike)) return ranges;
  const result: string[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    const [start = '', end = ''] = ranges.slice(i, i + 2);
    const first = dividesTexts(start) ? indexRangeOf(start)[0] : start;
    const last = dividesTexts(end) ? indexRangeOf(end)[1] : end;
    // Two keys can have the same place.
    const previous = result.at(-1);
    if (previous !== undefined && compareKeys(first, previous) <= 0) result[result.length - 1] = later(previous, last);
    else result.push(first, last);
  }
  return result;
}

/** Whether the index has no other keys in `indexRanges` than those of the set. */
export function areIndexRanges(ranges: KeyRanges, sortsAlike: boolean): boolean {
  return !sortsAlike || !ranges.some(dividesTexts);
}

const later = (a: string, b: string) => (compareKeys(a, b) > 0 ? a : b);
const earlier = (a: string, b: string) => (compareKeys(a, b) < 0 ? a : b);
