import { after, compareKeys, MISSING } from './sort-key.ts';

/**
 * A set of sort keys: where it begins, where it ends, where it begins again, and so on, in order. What a filter asks of a
 * field is such a set, whatever its operator; it is a scan of the index for each of its ranges.
 */
export type KeyRanges = readonly string[];

/** Behind every key and `MISSING`. */
export const END = MISSING + MISSING;

export const ANY: KeyRanges = ['', END];
export const PRESENT: KeyRanges = ['', MISSING];
export const ABSENT: KeyRanges = [MISSING, END];

/** From `low` (in) to `high` (out). */
export function between(low: string, high: string): KeyRanges {
  return compareKeys(low, high) < 0 ? [low, high] : [];
}

export function exactly(keys: readonly string[]): KeyRanges {
  const sorted = [...new Set(keys)].sort(compareKeys);
  return sorted.flatMap((key) => [key, after(key)]);
}

/** What is not in `ranges`: entries without a value included, if they were not. */
export function complement(ranges: KeyRanges): KeyRanges {
  const inner = ranges[0] === '' ? ranges.slice(1) : ['', ...ranges];
  return inner.at(-1) === END ? inner.slice(0, -1) : [...inner, END];
}

export function intersect(a: KeyRanges, b: KeyRanges): KeyRanges {
  const out: string[] = [];
  for (let i = 0; i < a.length; i += 2) {
    for (let j = 0; j < b.length; j += 2) {
      const low = later(a[i] ?? '', b[j] ?? '');
      const high = earlier(a[i + 1] ?? '', b[j + 1] ?? '');
      if (compareKeys(low, high) < 0) out.push(low, high);
    }
  }
  return out;
}

export function includesMissing(ranges: KeyRanges): boolean {
  return ranges.at(-1) === END;
}

/** The keys, where the set is made of single ones. */
export function pointsOf(ranges: KeyRanges): string[] | undefined {
  const points: string[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    const [low = '', high = ''] = ranges.slice(i, i + 2);
    if (low === MISSING && high === END) points.push(MISSING);
    else if (high === after(low)) points.push(low);
    else return undefined;
  }
  return points;
}

/** Begins and ends, as two columns. */
export function bounds(ranges: KeyRanges): [lows: string[], highs: string[]] {
  return [ranges.filter((_, i) => i % 2 === 0), ranges.filter((_, i) => i % 2 === 1)];
}

const later = (a: string, b: string) => (compareKeys(a, b) > 0 ? a : b);
const earlier = (a: string, b: string) => (compareKeys(a, b) < 0 ? a : b);
