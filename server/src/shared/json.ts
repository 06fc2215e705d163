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
  let text = body.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  if (text.trim() === '') throw badRequest('body_empty', 'A JSON body is required.');
  // Checked before parsing, so that a body of a million brackets is refused early.
  if (depthOf(text, maxDepth) > maxDepth) {
    throw badRequest('json_too_deep', `The body is nested deeper than ${maxDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badRequest('json_malformed', 'The body is not valid JSON.', cause);
  }
  // Only an escape can hide such a character or name from a scan of the text, and only an exponent or 300 digits can make
  // such a number.
  if (text.includes('\\u') || text.includes('__proto__') || /\d[eE]/.test(text) || hasDigits(text, 300)) {
    refuse(unstorableFaults(value, ''));
  }
  return value;
}

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
    if (c === 0x22) {
      // `indexOf` finds the closing quote far faster than a loop over characters.
      let end = text.indexOf('"', i + 1);
      while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
      if (end < 0) return deepest;
      i = end;
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > deepest) {
        deepest = depth;
        if (deepest > limit) return deepest;
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return deepest;
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
