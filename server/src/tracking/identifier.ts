import { hash } from 'node:crypto';
import { CLICK_ID_NAMES, type ClickIdName } from './click-ids.ts';

/** Take a session's hash or its number (contract: Sessions, visits and events). */
const SESSION_NAMES = ['hash', 'sessionHash', 'sessionId', 'visitHash'] as const;
const SHORT_NAMES = ['shortHash', 'shortSessionHash', 'shortVisitHash'] as const;

export type IdentifierName = (typeof SESSION_NAMES)[number] | (typeof SHORT_NAMES)[number] | ClickIdName;

/** Every identifier of the interface's conversion report, in its order. */
export const IDENTIFIER_NAMES: readonly IdentifierName[] = [...SESSION_NAMES, ...SHORT_NAMES, ...CLICK_ID_NAMES];

const MAX_LENGTH = 2048;

/** What names a session: as it was sent, and as it is looked up. */
export interface Identifier {
  name: IdentifierName;
  /** As sent; a number as a number. */
  sent: string | number;
  lookUp: 'hash' | 'number' | 'short' | 'click';
  /** The hash, the number in digits, the short hash in capitals; of a click id its `digest`. */
  value: string;
  /** One form for everything that names a session: what an unmatched report waits for. */
  digest: string;
}

export interface IdentifierFault {
  code: 'identifier_missing' | 'identifier_conflict' | 'identifier_invalid';
  /** The members it is about; none for `identifier_missing`. */
  names: IdentifierName[];
  detail: string;
}

/**
 * The one identifier of a conversion item or of an event's properties, or what is wrong (interface: Conversions, rule 1).
 * Null, an empty string and white space are no identifier; the same value under two names is two; so is a list, which is
 * what a query parameter that was given twice becomes.
 */
export function readIdentifier(item: Readonly<Record<string, unknown>>): Identifier | IdentifierFault {
  const present: IdentifierName[] = [];
  for (const name of IDENTIFIER_NAMES) if (counts(item[name])) present.push(name);
  const [name] = present;
  if (name === undefined) {
    return { code: 'identifier_missing', names: [], detail: 'One session or click identifier is needed.' };
  }
  const value = item[name];
  if (present.length > 1 || Array.isArray(value)) {
    const detail = `Exactly one identifier is allowed; given: ${present.join(', ')}.`;
    return { code: 'identifier_conflict', names: present, detail };
  }
  return (
    identify(name, value) ?? {
      code: 'identifier_invalid',
      names: [name],
      detail: `${name} must be a string of at most ${MAX_LENGTH} characters${isSessionName(name) ? ' or a safe integer' : ''}.`,
    }
  );
}

/** The identifier of this name and value; undefined where the value is not of the name's type. */
export function identify(name: IdentifierName, value: unknown): Identifier | undefined {
  if (typeof value === 'number') {
    if (!isSessionName(name) || !Number.isSafeInteger(value)) return undefined;
    return identifier(name, value, 'number', String(value));
  }
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  if (isSessionName(name)) {
    const isNumber = /^(?:0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value));
    return identifier(name, value, isNumber ? 'number' : 'hash', value);
  }
  if ((SHORT_NAMES as readonly string[]).includes(name)) return identifier(name, value, 'short', plainShortHash(value));
  return { name, sent: value, lookUp: 'click', value: clickIdDigest(name, value), digest: clickIdDigest(name, value) };
}

function identifier(
  name: IdentifierName,
  sent: string | number,
  lookUp: 'hash' | 'number' | 'short',
  value: string,
): Identifier {
  return { name, sent, lookUp, value, digest: sessionDigest(lookUp, value) };
}

function counts(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}

function isSessionName(name: string): boolean {
  return (SESSION_NAMES as readonly string[]).includes(name);
}

/** Digest of a session's hash, number or short hash: what `Identifier.digest` of anything that names it is. */
export function sessionDigest(lookUp: 'hash' | 'number' | 'short', value: string): string {
  return digest(`${lookUp}\n${value}`);
}

export function clickIdDigest(name: string, value: string): string {
  return digest(`${name}\n${value}`);
}

/** The first 128 bits of the SHA-256, written as a UUID. */
function digest(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first 12 Crockford base32 characters (60 bits) of the SHA-256 of a session's hash. */
export function shortHashOf(sessionHash: string): string {
  const bytes = hash('sha256', sessionHash, 'buffer');
  let out = '';
  for (let i = 0; i < 12; i++) {
    const at = i * 5;
    const pair = bytes.readUInt16BE(at >> 3);
    out += CROCKFORD[(pair >> (11 - (at & 7))) & 31];
  }
  return out;
}

/** As Crockford reads what a person typed: any case, `o` for 0, `i` and `l` for 1. */
function plainShortHash(text: string): string {
  return text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
}
