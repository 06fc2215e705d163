import { isUtf8 } from 'node:buffer';
import { badRequest, escapePointer, type Fault, refuse } from './errors.ts';

/** A body can have more faults than are worth returning. */
const MAX_FAULTS = 1_000;

/** ES2026, which TypeScript's library lacks. */
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number that a double does not hold exactly, as it was sent. `JSON.stringify` writes its digits. */
interface RawNumber {
  readonly rawJSON: string;
}

/** The value with the texts of numbers that a double does not hold. */
export function rawAsText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (JSON.isRawJSON(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(rawAsText);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rawAsText(member)]));
}

/**
 * Parses JSON of the database, which writes numbers without an exponent. Numbers that a double does not hold stay exact: `JSON.stringify`
 * writes them unchanged.
 */
export function readJson(text: string): ReturnType<typeof JSON.parse> {
  return hasDigits(text, INEXACT_DIGITS) && findInexact(text) !== undefined
    ? revived(text, keepExact)
    : JSON.parse(text);
}

/** The same of any JSON. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return findInexact(text) === undefined ? JSON.parse(text) : revived(text, keepExact);
}

/** The same with the texts of such numbers, for callers that compute with what they read. @throws SyntaxError */
export const parseWithTexts = (text: string): unknown => rawAsText(parseExactly(text));

/**
 * Parses a JSON body and refuses what the database could not store unchanged: text that is not UTF-8, U+0000, unpaired
 * surrogates, numbers that a double does not hold, members called `__proto__`, and nesting deeper than `maxDepth`. Runs in linear time.
 * @param isJsonKept whether such numbers and members are left to the caller, for values that stay JSON
 */
export function parseJson(body: Buffer, maxDepth: number, isJsonKept = false): unknown {
  if (!isUtf8(body)) throw badRequest('json_not_utf8', 'The body is not UTF-8.');
  const text = textOf(body);
  // Checked before parsing, so that a body of a million brackets is refused early.
  const { depth, mayBeInexact } = scan(text, maxDepth);
  if (depth > maxDepth) throw badRequest('json_too_deep', `The body is nested deeper than ${maxDepth} levels.`);
  const isInexact = mayBeInexact && findInexact(text) !== undefined;
  const value = parse(text, isInexact ? keepExact : undefined);
  if (isInexact || hasEscapes(text) || text.includes('__proto__')) refuse(unstorableFaults(value, '', isJsonKept));
  return value;
}

/** More than an item may have anywhere in a body: `extra` of a conversion in an array has 30 levels below two others. */
const LENIENT_DEPTH = 33;

/**
 * Parses the JSON body of a request that must not be refused for what one of its items contains. Characters that the database
 * cannot store become U+FFFD, a number that a double does not hold stays exact, or becomes its text beyond the range of a double, and
 * `__proto__` is a key like any other. Arrays and objects at a depth that no valid item reaches become empty: the limit of their item still finds it too deep.
 */
export function parseJsonLeniently(body: Buffer): unknown {
  const sent = textOf(body);
  const { depth, mayBeInexact } = scan(sent, LENIENT_DEPTH);
  const text = depth > LENIENT_DEPTH ? cutBelow(sent, LENIENT_DEPTH + 1) : sent;
  const value = parse(text);
  const parsed = mayBeInexact ? parseNumbers(text, value) : value;
  return hasEscapes(text) ? storable(parsed) : parsed;
}

function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (json.trim() === '') throw badRequest('body_empty', 'A JSON body is required.');
  return json;
}

/** The type of the library lacks the context. */
type Revive = (name: string, value: unknown, context: { source: string }) => unknown;

// Takes ten times as long as without a reviver.
const revived = (text: string, revive: Revive) => JSON.parse(text, revive as (name: string, value: unknown) => unknown);

function parse(text: string, revive?: Revive): unknown {
  try {
    return revive ? revived(text, revive) : JSON.parse(text);
  } catch (cause) {
    throw badRequest('json_malformed', 'The body is not valid JSON.', cause);
  }
}

/** Only an escape can hide a character that cannot be stored from a scan of the text. */
const hasEscapes = (text: string) => text.includes('\\u');

/** A double holds every number of fewer digits. */
const INEXACT_DIGITS = 16;

/** Whether the text has a run of at least `length` digits and points, each of which covers an index that is a multiple of it. */
function hasDigits(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start >= length) return true;
  }
  return false;
}

/** Also a decimal point. */
function isDigit(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || c === 0x2e;
}

/**
 * Of what is outside of strings: the deepest nesting of brackets, or the first depth above `limit`; and whether there can be numbers that a
 * double does not hold, which have an exponent or many digits.
 */
function scan(text: string, limit: number): { depth: number; mayBeInexact: boolean } {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let mayBeInexact = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (isDigit(c)) {
      if (++digits === INEXACT_DIGITS) mayBeInexact = true;
      continue;
    }
    if (digits > 0) {
      if (c === 0x65 || c === 0x45) mayBeInexact = true;
      digits = 0;
    }
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > deepest) {
        deepest = depth;
        if (deepest > limit) return { depth: deepest, mayBeInexact: true };
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return { depth: deepest, mayBeInexact };
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

/** The first number outside of strings, from an index on, that a double does not hold. */
function findInexact(text: string, from = 0): { at: number; number: string } | undefined {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      NUMBER.lastIndex = i;
      const [number = '-'] = NUMBER.exec(text) ?? [];
      if (!isExact(number)) return { at: i, number };
      i += number.length - 1;
    }
  }
  return undefined;
}

/** The value of a JSON text with exact numbers, and texts for those beyond the range of a double. @param rounded its value without them */
function parseNumbers(text: string, rounded: unknown): unknown {
  let quoted = '';
  let start = 0;
  let isInexact = false;
  for (let found = findInexact(text); found; ) {
    const { at, number } = found;
    const end = at + number.length;
    if (isWithinRange(number)) isInexact = true;
    else {
      quoted += `${text.slice(start, at)}"${number}"`;
      start = end;
    }
    found = findInexact(text, end);
  }
  if (start === 0 && !isInexact) return rounded;
  return parse(quoted + text.slice(start), isInexact ? keepExact : undefined);
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const PARTS = /^\+?(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Longer numbers are taken for numbers beyond the range of a double, which has at most 309 digits before the point. */
const MAX_NUMBER_LENGTH = 400;

/** Whether the number that is read is the one that is written, such as `1.50`, but not `0.1234567890123456789` or `1e-400`. */
export function isExact(number: string): boolean {
  if (number.length < INEXACT_DIGITS && !/[eE]/.test(number)) return true;
  const read = Number(number);
  if (!Number.isFinite(read) || number.length > MAX_NUMBER_LENGTH) return false;
  return String(read) === number || canonical(number) === canonical(String(read));
}

/** The sign, the digits without zeros at their ends, and the exponent. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const keepExact: Revive = (_name, value, { source }) =>
  typeof value === 'number' && !isExact(source) ? JSON.rawJSON(source) : value;

/** Whether a number is one that a double can come near, and PostgreSQL can store. */
function isWithinRange(number: string): boolean {
  const read = Number(number);
  return number.length <= MAX_NUMBER_LENGTH && Number.isFinite(read) && read !== 0;
}

/** A copy of a JSON value with U+FFFD for every character that cannot be stored. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== 'object' || JSON.isRawJSON(value)) return value;
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

/**
 * What the database could not store unchanged of a JSON value, which did not come through `parseJson`.
 * @param isJsonKept whether it stays JSON, whose numbers have any digits and whose members any name
 */
export function unstorableFaults(value: unknown, pointer: string, isJsonKept = false): Fault[] {
  const faults: Fault[] = [];
  const report = (at: string, code: string, detail: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: at, code, detail: `${named(at)} ${detail}` });
  };
  const visit = (each: unknown, at: string) => {
    if (typeof each === 'string') {
      if (!isStorable(each)) report(at, 'text_not_storable', 'contains U+0000 or an unpaired surrogate.');
    } else if (
      typeof each === 'number' ? !Number.isFinite(each) : JSON.isRawJSON(each) && !isWithinRange(each.rawJSON)
    ) {
      report(at, 'number_out_of_range', 'exceeds the range of JSON numbers.');
    } else if (JSON.isRawJSON(each)) {
      if (!isJsonKept) report(at, 'number_inexact', 'has more digits than can be stored exactly, and is not rounded.');
    } else if (Array.isArray(each)) {
      each.forEach((item, i) => {
        visit(item, `${at}/${i}`);
      });
    } else if (each !== null && typeof each === 'object') {
      for (const [name, member] of Object.entries(each)) {
        if ((name === '__proto__' && !isJsonKept) || !isStorable(name))
          report(at, 'text_not_storable', 'has a member whose name cannot be stored.');
        else visit(member, `${at}/${escapePointer(name)}`);
      }
    }
  };
  visit(value, pointer);
  return faults;
}

const named = (pointer: string) => (pointer === '' ? 'The body' : `\`${pointer}\``);

/** Whether PostgreSQL can store the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
