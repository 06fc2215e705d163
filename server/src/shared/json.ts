import { isUtf8 } from 'node:buffer';
import { badRequest, escapePointer, type Fault, refuse } from './errors.ts';

/** A body can have more faults than are worth returning. */
const MAX_FAULTS = 1_000;

/**
 * Parses a JSON body and refuses what the database could not store unchanged: text that is not UTF-8, U+0000, unpaired
 * surrogates, numbers beyond a double, and nesting deeper than `maxDepth`. Runs in linear time.
 */
export function parseJson(body: Buffer, maxDepth: number): unknown {
  if (!isUtf8(body)) throw badRequest('json_not_utf8', 'The body is not UTF-8.');
  const text = textOf(body);
  // Checked before parsing, so that a body of a million brackets is refused early.
  if (depthOf(text, maxDepth) > maxDepth) {
    throw badRequest('json_too_deep', `The body is nested deeper than ${maxDepth} levels.`);
  }
  const value = parse(text);
  if (hasEscapes(text) || text.includes('__proto__') || mayHaveLargeNumbers(text)) refuse(unstorableFaults(value, ''));
  return value;
}

/** More than an item may have anywhere in a body: `extra` of a conversion in an array has 30 levels below two others. */
const LENIENT_DEPTH = 33;

/**
 * Parses the JSON body of a request that must not be refused for what one of its items contains. Characters that the database
 * cannot store become U+FFFD, a number beyond a double becomes its text, and `__proto__` is a key like any other. Arrays and
 * objects at a depth that no valid item reaches become empty: the limit of their item still finds it too deep.
 */
export function parseJsonLeniently(body: Buffer): unknown {
  const sent = textOf(body);
  const text = depthOf(sent, LENIENT_DEPTH) > LENIENT_DEPTH ? cutBelow(sent, LENIENT_DEPTH + 1) : sent;
  const value = parse(text);
  const parsed = mayHaveLargeNumbers(text) ? parse(quoteLargeNumbers(text)) : value;
  return hasEscapes(text) ? storable(parsed) : parsed;
}

function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (json.trim() === '') throw badRequest('body_empty', 'A JSON body is required.');
  return json;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badRequest('json_malformed', 'The body is not valid JSON.', cause);
  }
}

/** Only an escape can hide a character that cannot be stored from a scan of the text. */
const hasEscapes = (text: string) => text.includes('\\u');

/** Only an exponent or 300 digits can make a number beyond a double. */
const mayHaveLargeNumbers = (text: string) => /\d[eE]/.test(text) || hasDigits(text, 300);

/** Whether the text has a run of at least `length` digits, each of which covers an index that is a multiple of it. */
function hasDigits(text: string, length: number): boolean {
  const isDigit = (i: number) => {
    const c = text.charCodeAt(i);
    return c >= 0x30 && c <= 0x39;
  };
  for (let at = length - 1; at < text.length; at += length) {
    if (!isDigit(at)) continue;
    let start = at;
    while (start > 0 && isDigit(start - 1)) start--;
    let end = at + 1;
    while (isDigit(end)) end++;
    if (end - start >= length) return true;
  }
  return false;
}

/** The deepest nesting of brackets outside of strings, or the first depth above `limit`. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > deepest) {
        deepest = depth;
        if (deepest > limit) return deepest;
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return deepest;
}

/** The index of the quote that ends the string which starts at `at`; the length of the text if none does. */
function endOfString(text: string, at: number): number {
  // `indexOf` finds the closing quote far faster than a loop over characters.
  let end = text.indexOf('"', at + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Empties the arrays and objects at this depth. */
function cutBelow(text: string, depth: number): string {
  let kept = '';
  let from = 0;
  let level = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x7b || c === 0x5b) {
      if (++level === depth) kept += text.slice(from, i);
    } else if (c === 0x7d || c === 0x5d) {
      if (level-- !== depth) continue;
      kept += '[]';
      from = i + 1;
    }
  }
  return level < depth ? kept + text.slice(from) : text;
}

/** Puts the numbers of a JSON text that are beyond a double into quotes. */
function quoteLargeNumbers(text: string): string {
  let quoted = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      NUMBER.lastIndex = i;
      const [number = ''] = NUMBER.exec(text) ?? [];
      if (!Number.isFinite(Number(number))) {
        quoted += `${text.slice(from, i)}"${number}"`;
        from = i + number.length;
      }
      i += number.length - 1;
    }
  }
  return quoted + text.slice(from);
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** A copy of a JSON value with U+FFFD for every character that cannot be stored. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]));
}

/** The text with U+FFFD in place of U+0000 and unpaired surrogates. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
  return slashes % 2 === 1;
}

/** What the database could not store unchanged of a JSON value, which did not come through `parseJson`. */
export function unstorableFaults(value: unknown, pointer: string): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, pointer, faults);
  return faults;
}

function findUnstorable(value: unknown, pointer: string, faults: Fault[]): void {
  const report = (code: string, detail: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer, code, detail });
  };
  if (typeof value === 'string') {
    if (!isStorable(value)) report('text_not_storable', `${named(pointer)} contains U+0000 or an unpaired surrogate.`);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report('number_out_of_range', `${named(pointer)} exceeds the range of JSON numbers.`);
  } else if (Array.isArray(value)) {
    value.forEach((item, i) => {
      findUnstorable(item, `${pointer}/${i}`, faults);
    });
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (name === '__proto__' || !isStorable(name))
        report('text_not_storable', `${named(pointer)} has a member whose name cannot be stored.`);
      else findUnstorable(member, `${pointer}/${escapePointer(name)}`, faults);
    }
  }
}

const named = (pointer: string) => (pointer === '' ? 'The body' : `\`${pointer}\``);

/** Whether PostgreSQL can store the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
