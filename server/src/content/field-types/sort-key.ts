import { hash } from 'node:crypto';
import { fold } from './fold.ts';

/** The key of entries without a value. It sorts after the key of every value. */
export const MISSING = '\u{10ffff}';

/** Texts are sorted by this many characters. */
export const SORTED_LENGTH = 256;

// Separates the sorted prefix of a text from a digest that tells it from other texts with that prefix.
const DIGEST = '\u0001';

/** The key of a text that sorts by `prefix` and is equal to the same `text` alone. */
export function exactKey(prefix: string, text: string): string {
  if (prefix !== text) return `${prefix}${DIGEST}${hash('sha256', text, 'base64').slice(0, 12)}`;
  return prefix === '' ? DIGEST : prefix;
}

/**
 * A key as it is in the index: without what only tells texts apart, so that entries with texts that sort alike are in the order of
 * their IDs. Whether a text is equal to another one, its entry tells.
 */
export function indexKeyOf(key: string): string {
  const at = key.indexOf(DIGEST);
  return at < 0 ? key : key.slice(0, at) || DIGEST;
}

/** Where a key, and others that sort alike, are in the index, also in that of entries which are still to be reindexed. */
export function indexRangeOf(key: string): [start: string, end: string] {
  const start = indexKeyOf(key);
  return [start, afterPrefix(start === DIGEST ? '' : start)];
}

/** Whether the bound of a range lies within the keys of texts that sort alike. */
export const dividesTexts = (bound: string): boolean => bound.includes(DIGEST);

/** The part of a text that decides its position: folded, for `text` fields. */
export function textPrefix(text: string): string {
  return sortedPrefix(fold(text.slice(0, FOLDED_LENGTH).toWellFormed()));
}

// Folding can remove characters, such as combining marks. Beyond this many, the rest of a text no longer counts.
const FOLDED_LENGTH = 4 * SORTED_LENGTH;

const UNSORTABLE = /[\p{Cc}\u{10ffff}]/gu;

export function sortedPrefix(text: string): string {
  const cut = text
    .slice(0, 2 * SORTED_LENGTH)
    .replace(UNSORTABLE, ' ')
    .slice(0, SORTED_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The first key after all keys with this prefix. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u0002`;
}

/** The first key after `key`. */
export function after(key: string): string {
  return key + DIGEST;
}

/** The range that contains one key. */
export const exactRange = (key: string): [start: string, end: string] => [key, after(key)];

/** Compares keys as PostgreSQL's collation "C" does: by code point, not by UTF-16 unit. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode the characters after U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
