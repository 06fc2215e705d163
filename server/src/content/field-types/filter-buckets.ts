import type { FilterBits } from './field-type.ts';

/** Spreads keys over 63 buckets; nothing can be said about ranges. */
export const hashedBits: FilterBits = {
  width: 6,
  bucketOf(key) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    return 1 + ((hash >>> 0) % 63);
  },
  bucketsBetween: () => undefined,
};

/** Gives consecutive months consecutive buckets, so that a period has few. For keys that start with `YYYY-MM`. */
export const monthBits: FilterBits = {
  width: 6,
  bucketOf: (key) => 1 + ((monthOf(key) ?? 0) % 63),
  bucketsBetween(start, end) {
    const [from, to] = [monthOf(start), monthOf(end)];
    if (from === undefined || to === undefined || to - from >= 62) return undefined;
    return Array.from({ length: to - from + 1 }, (_, i) => 1 + ((from + i) % 63));
  },
};

function monthOf(key: string): number | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(key) ?? [];
  return year === undefined ? undefined : Number(year) * 12 + Number(month);
}
