import type { Fault } from '../shared/errors.ts';
import { escapePointer } from '../shared/http/problem.ts';
import { IDENTIFIER_NAMES, type Identifier, type IdentifierName, identify } from './identifier.ts';

const MAX_BYTES = 32 * 1024;
const MAX_DEPTH = 5;
const MAX_EMAIL = 320;
// Something on both sides of one @, no white space: whether it can be delivered to, only a letter would tell.
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const NAMES = new Map<string, number>(IDENTIFIER_NAMES.map((name, i) => [name, i]));

export interface ReadProperties {
  /** As they are stored. */
  json: string;
  /** Trimmed and in lower case. */
  email: string | null;
  value: number | null;
  /** Every identifier in them, in the interface's order: the first that finds a session counts. */
  identifiers: Identifier[];
}

/** Checks an event's properties beyond their schema: size, depth, e-mail. Faults are added to `faults`. */
export function readProperties(properties: Readonly<Record<string, unknown>>, faults: Fault[]): ReadProperties {
  const json = JSON.stringify(properties);
  if (json.length > MAX_BYTES / 3 && Buffer.byteLength(json) > MAX_BYTES) {
    faults.push({ pointer: '/properties', code: 'too_large', detail: 'must have at most 32 KiB as JSON' });
  }
  const named: [number, Identifier][] = [];
  for (const key in properties) {
    const value = properties[key];
    if (value !== null && typeof value === 'object' && depthOf(value) >= MAX_DEPTH) {
      const detail = `must be nested at most ${MAX_DEPTH} deep, the properties themselves being the first`;
      faults.push({ pointer: `/properties/${escapePointer(key)}`, code: 'too_deep', detail });
    }
    const order = NAMES.get(key);
    if (order === undefined || value === '' || value === null) continue;
    const identifier = identify(key as IdentifierName, value);
    if (identifier) named.push([order, identifier]);
  }
  const { email, value } = properties;
  return {
    json,
    email: typeof email === 'string' ? readEmail(email, faults) : null,
    value: typeof value === 'number' ? value : null,
    identifiers: named.sort(([a], [b]) => a - b).map(([, identifier]) => identifier),
  };
}

function readEmail(text: string, faults: Fault[]): string | null {
  const email = text.trim().toLowerCase();
  if (email.length <= MAX_EMAIL && EMAIL.test(email)) return email;
  faults.push({ pointer: '/properties/email', code: 'email_invalid', detail: 'must be an e-mail address' });
  return null;
}

function depthOf(value: object): number {
  let deepest = 0;
  for (const member of Object.values(value)) {
    if (member !== null && typeof member === 'object') deepest = Math.max(deepest, depthOf(member));
  }
  return deepest + 1;
}
