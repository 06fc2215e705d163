import { hash, randomBytes } from 'node:crypto';
import { CLICK_ID_NAMES, type ClickIdName, type ClickIds } from '../shared/click-ids.ts';
import { rawAsText } from '../shared/json.ts';
import type { SessionIds } from '../shared/session-ids.ts';
import { isAbsent } from './absent.ts';
import { LIMITS } from './limits.ts';

/** Each takes a session's hash or its id (contract: Sessions, visits and events). */
const SESSION_NAMES = ['hash', 'sessionHash', 'sessionId', 'visitHash'] as const;
const SHORT_NAMES = ['shortHash', 'shortSessionHash', 'shortVisitHash'] as const;

export type IdentifierName = (typeof SESSION_NAMES)[number] | (typeof SHORT_NAMES)[number] | ClickIdName;

/** Every identifier of the interface's conversion report, in its order. */
export const IDENTIFIER_NAMES: readonly IdentifierName[] = [...SESSION_NAMES, ...SHORT_NAMES, ...CLICK_ID_NAMES];

/** What a session can be looked up by. */
export type LookupKey = 'hash' | 'number' | 'short' | 'click';

export interface Identifier {
  name: IdentifierName;
  /** As sent; a number that a double holds stays a number. */
  sent: string | number;
  lookupKey: LookupKey;
  /** The hash, the session's number in digits, the normalized short hash, or the digest of the click id. */
  value: string;
  /** The same form for every kind of identifier: an unmatched report is found by it. */
  digest: string;
}

export interface IdentifierFault {
  code: 'identifier_missing' | 'identifier_conflict' | 'identifier_invalid';
  /** The members at fault; none for `identifier_missing`. */
  names: IdentifierName[];
  detail: string;
}

/**
 * Reads the one identifier of a conversion item (interface: Conversions, rule 1). Null, an empty string, white space and
 * unfilled macros are no identifier. The same value under two names is two identifiers, and so is an array, which is what a
 * query parameter becomes that is repeated with different values.
 */
export function readIdentifier(ids: SessionIds, item: Readonly<Record<string, unknown>>): Identifier | IdentifierFault {
  const present = IDENTIFIER_NAMES.filter((name) => !isAbsent(item[name]));
  const [name] = present;
  if (name === undefined) {
    return { code: 'identifier_missing', names: [], detail: 'Send one session identifier or click id.' };
  }
  const value = item[name];
  if (present.length > 1 || Array.isArray(value)) {
    const detail = `Send exactly one identifier. This item has: ${present.join(', ')}.`;
    return { code: 'identifier_conflict', names: present, detail };
  }
  return (
    identify(ids, name, value) ?? {
      code: 'identifier_invalid',
      names: [name],
      detail: `\`${name}\` must be a string of at most ${LIMITS.identifierLength} characters or a number.`,
    }
  );
}

/** The identifier with this name and value, a string or a number; undefined for any other value. */
export function identify(ids: SessionIds, name: IdentifierName, given: unknown): Identifier | undefined {
  const sent = rawAsText(given);
  if (typeof sent !== 'string' && typeof sent !== 'number') return undefined;
  const value = decimalText(sent);
  if (value.length > LIMITS.identifierLength) return undefined;
  const identifier = (lookupKey: 'hash' | 'number' | 'short', value: string): Identifier => {
    return { name, sent, lookupKey, value, digest: sessionDigest(lookupKey, value) };
  };
  if ((SESSION_NAMES as readonly string[]).includes(name)) {
    const id = parseSessionId(value);
    return id === undefined ? identifier('hash', value) : identifier('number', String(ids.numberOf(id)));
  }
  if ((SHORT_NAMES as readonly string[]).includes(name)) return identifier('short', normalizeShortHash(value));
  const digest = clickIdDigest(name, value);
  return { name, sent, lookupKey: 'click', value: digest, digest };
}

/** The public id of a session in its decimal digits. */
export function parseSessionId(text: string): number | undefined {
  const id = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** A number as a decimal string without an exponent. */
export function decimalText(value: string | number): string {
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** The digests of everything that identifies a session: hash, number, short hash and click ids (see `Identifier.digest`). */
export function sessionDigests(session: { hash: string; number: number; clickIds: ClickIds }): string[] {
  return [
    sessionDigest('hash', session.hash),
    sessionDigest('number', String(session.number)),
    sessionDigest('short', shortHashOf(session.hash)),
    ...clickIdDigests(session.clickIds),
  ];
}

export function clickIdDigests(clickIds: ClickIds): string[] {
  return Object.entries(clickIds).map(([name, value]) => clickIdDigest(name, value));
}

function sessionDigest(lookupKey: 'hash' | 'number' | 'short', value: string): string {
  return uuidDigest(`${lookupKey}\n${value}`);
}

export function clickIdDigest(name: string, value: string): string {
  return uuidDigest(`${name}\n${value}`);
}

/** The first 128 bits of the SHA-256, formatted as a UUID. */
export function uuidDigest(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 128 random bits as 22 base62 characters: a session hash, or the visitor id of a page that sends none. */
export function newSessionHash(): string {
  let rest = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let out = '';
  for (let i = 0; i < 22; i++) {
    out = BASE62[Number(rest % 62n)] + out;
    rest /= 62n;
  }
  return out;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first 12 Crockford base32 characters (60 bits) of the SHA-256 of a session hash. */
export function shortHashOf(sessionHash: string): string {
  const bytes = hash('sha256', sessionHash, 'buffer');
  let out = '';
  for (let i = 0; i < 12; i++) {
    const bit = i * 5;
    const pair = bytes.readUInt16BE(bit >> 3);
    out += CROCKFORD[(pair >> (11 - (bit & 7))) & 31];
  }
  return out;
}

/** Crockford base32 is read in any case, with `o` for 0 and `i` and `l` for 1. */
export function normalizeShortHash(text: string): string {
  return text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
}
