import { isUtf8 } from 'node:buffer';
import { badRequest, escapePointer, type Fault, refuse } from './errors.ts';

/** More than these are not named: a body can hold more faults than are worth answering. */
const MAX_FAULTS = 1_000;

/**
 * Parses a JSON body and refuses what the database could not keep as it was sent: text that is not UTF-8, U+0000, half
 * surrogate pairs, numbers beyond a double, and nesting deeper than `maxDepth`.
 */
export function parseJson(body: Buffer, maxDepth: number): unknown {
  if (!isUtf8(body)) throw badRequest('json_not_utf8', 'The body is not UTF-8.');
  let text = body.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  if (text.trim() === '') throw badRequest('body_empty', 'A JSON body is needed.');
  // Checked on the text, before parsing: a body of a million brackets is refused at the first one too many.
  if (depthOf(text, maxDepth) > maxDepth) {
    throw badRequest('json_too_deep', `The body is nested deeper than ${maxDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badRequest('json_malformed', 'The body is not valid JSON.', cause);
  }
  // Only an escape can make such a character or a prototype's name that the scan of the text would miss, only an
  // exponent or 300 digits such a number.
  if (text.includes('\\u') || text.includes('__proto__') || /\d[eE]|\d{300}/.test(text)) {
    const faults: Fault[] = [];
    findUnstorable(value, '', faults);
    refuse(faults);
  }
  return value;
}

/** The deepest nesting of brackets outside of strings, or the first depth above `limit`. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      // To the closing quote: found by the engine's own search, far faster than character by character.
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

function findUnstorable(value: unknown, pointer: string, faults: Fault[]): void {
  const report = (code: string, detail: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer, code, detail });
  };
  if (typeof value === 'string') {
    if (!isStorable(value)) report('text_not_storable', 'holds U+0000 or half a surrogate pair');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report('number_out_of_range', 'is beyond what JSON clients can represent');
  } else if (Array.isArray(value)) {
    value.forEach((item, i) => {
      findUnstorable(item, `${pointer}/${i}`, faults);
    });
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (name === '__proto__' || !isStorable(name)) report('text_not_storable', 'has a member of an impossible name');
      else findUnstorable(member, `${pointer}/${escapePointer(name)}`, faults);
    }
  }
}

/** Whether PostgreSQL keeps the text as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
