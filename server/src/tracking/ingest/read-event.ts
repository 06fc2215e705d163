import { rawAsText } from '../../shared/json.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isAbsent } from '../absent.ts';
import { decimalText, IDENTIFIER_NAMES, type Identifier, type IdentifierName, identify } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { occurredAt } from './read-visit.ts';
import type { NewEvent } from './record-events.ts';

const RANKS = new Map<string, number>(IDENTIFIER_NAMES.map((name, i) => [name, i]));
/** Something on both sides of one @: only a message would show whether it can be delivered to. */
const EMAIL = /^[^\s@\ufffd]+@[^\s@\ufffd]+$/;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

type Members = Readonly<Record<string, unknown>>;
type ReadEvent = Pick<
  NewEvent,
  'event' | 'json' | 'clientEventId' | 'identifiers' | 'email' | 'name' | 'value' | 'currency' | 'occurredAt'
>;

/** `properties` that stand for none: null, an empty string and an empty array, which some clients send for an empty object. */
export function withoutEmptyProperties(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('properties' in item)) return item;
  const { properties } = item;
  const isEmpty = properties === null || properties === '' || (Array.isArray(properties) && properties.length === 0);
  if (!isEmpty) return item;
  const { properties: _, ...rest } = item;
  return rest;
}

/**
 * Reads an event whose name and `properties` are valid. A member or property that is unusable has no effect, because the
 * event must not be lost; properties are stored as sent.
 */
export function readEvent(ids: SessionIds, item: Members, sentAt: unknown, receivedAt: number): ReadEvent {
  const properties = (item.properties ?? {}) as Members;
  const email = readEmail(properties.email);
  return {
    event: String(item.event),
    json: JSON.stringify(properties),
    clientEventId: readClientId(item.id),
    identifiers: readIdentifiers(ids, properties),
    email,
    name: email === null ? null : readName(properties),
    value: readValue(properties.value),
    currency: properties.currency,
    occurredAt: occurredAt(item.occurredAt, sentAt, receivedAt),
  };
}

function readClientId(sent: unknown): string | null {
  const id = typeof sent === 'number' ? decimalText(sent) : rawAsText(sent);
  return typeof id === 'string' && id.trim() !== '' && id.length <= LIMITS.eventIdLength ? id : null;
}

/** Every identifier among the properties, in the interface's order: the first one that finds a session counts. */
function readIdentifiers(ids: SessionIds, properties: Members): Identifier[] {
  const ranked: [number, Identifier][] = [];
  for (const key in properties) {
    const rank = RANKS.get(key);
    const value = properties[key];
    if (rank === undefined || isAbsent(value)) continue;
    const identifier = identify(ids, key as IdentifierName, value);
    if (identifier) ranked.push([rank, identifier]);
  }
  return ranked.sort(([a], [b]) => a - b).map(([, identifier]) => identifier);
}

function readEmail(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent.length > LIMITS.emailLength) return null;
  const email = sent.trim().toLowerCase();
  return EMAIL.test(email) ? email : null;
}

/** The name of a person, as forms call it. */
function readName(properties: Members): string | null {
  const { name, full_name, fullName, first_name, firstName, last_name, lastName } = properties;
  const whole = [name, full_name, fullName].find(isText);
  const parts = [[first_name, firstName].find(isText), [last_name, lastName].find(isText)];
  const text = (whole ?? parts.filter(isText).join(' ')).trim();
  return text === '' || text.length > LIMITS.leadNameLength ? null : text;
}

const isText = (value: unknown): value is string => typeof value === 'string' && !isAbsent(value);

function readValue(sent: unknown): number | string | null {
  if (typeof sent === 'number') return sent;
  if (JSON.isRawJSON(sent)) return sent.rawJSON;
  return typeof sent === 'string' && sent.length <= 64 && NUMERIC.test(sent.trim()) ? sent.trim() : null;
}
