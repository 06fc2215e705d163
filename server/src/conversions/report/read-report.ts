import { hasMoreCharacters } from '../../shared/characters.ts';
import { readCurrency } from '../../shared/currency.ts';
import { mergeRepeated, parameterName } from '../../shared/http/form.ts';
import { depthOf } from '../../shared/http/validate.ts';
import { rawAsText } from '../../shared/json.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import {
  decimalText,
  IDENTIFIER_NAMES,
  type Identifier,
  isAbsent,
  isUnfilled,
  readIdentifier,
} from '../../tracking/index.ts';
import { LIMITS } from '../limits.ts';
import { readAmount } from './amount.ts';
import { readCreatedOn, readTime } from './created-on.ts';

/** A validated report. Null is what it does not contain, so that restating leaves that unchanged. */
export interface ReadReport {
  identifier: Identifier;
  event: string | null;
  /** ISO 8601. */
  createdOn: string | null;
  eventId: string | null;
  /** In the syntax of `numeric`. */
  value: string | null;
  currency: string | null;
  /** JSON. */
  extra: string | null;
  /** ISO 8601; of the row of an import alone. */
  knownAt: string | null;
  /** Whether `createdOn` is the time of arrival, because none could be read. */
  isTimeReplaced: boolean;
  /** What was replaced in it or probably meant, for the sender. */
  reason?: string;
}

interface ItemFault {
  /** Path in the item, such as `gclid` or `conversion/value`; empty for the item itself. */
  path: string;
  code: string;
  detail: string;
}

export type ReadItem =
  | { report: ReadReport; faults?: undefined }
  | { report?: undefined; faults: [ItemFault, ...ItemFault[]] };

/**
 * Reads one report of a body, or all of its faults (interface: Conversions, rules 1, 3, 6). Members that are null or an
 * unfilled macro count as absent.
 * @param isImported whether it is the row of an import, which may contain `knownAt`
 */
export function readReport(ids: SessionIds, item: unknown, receivedAt: number, isImported = false): ReadItem {
  if (!isObject(item)) return { faults: [{ path: '', code: 'item_invalid', detail: 'An item must be an object.' }] };
  const faults: ItemFault[] = [];
  const fault = (path: string, code: string, detail: string): null => {
    faults.push({ path, code, detail });
    return null;
  };

  const identifier = readIdentifier(ids, item);
  if ('code' in identifier) {
    for (const path of identifier.names.length > 0 ? identifier.names : ['']) {
      fault(path, identifier.code, identifier.detail);
    }
  }
  const createdOn = readCreatedOn(isUnfilled(item.createdOn) ? undefined : item.createdOn, receivedAt);
  const report = {
    event: isMissing(item.event)
      ? null
      : (readName(item.event, LIMITS.eventLength) ?? fault('event', 'event_invalid', EVENT)),
    createdOn: createdOn.at,
    // A blank eventId counts as none: otherwise all reports with one would restate each other.
    eventId: isAbsent(item.eventId)
      ? null
      : (readName(asText(item.eventId), LIMITS.eventIdLength) ?? fault('eventId', 'event_id_invalid', EVENT_ID)),
    value: readValue(item, fault),
    currency: isAbsent(item.currency)
      ? null
      : (readCurrency(item.currency) ?? fault('currency', 'currency_invalid', CURRENCY)),
    extra:
      isMissing(item.extra) || isEmptyArray(item.extra)
        ? null
        : (readExtra(item.extra) ?? fault('extra', 'extra_invalid', EXTRA)),
    knownAt:
      !isImported || isMissing(item.knownAt) || item.knownAt === ''
        ? null
        : (readTime(item.knownAt, receivedAt) ?? fault('knownAt', 'known_at_invalid', KNOWN_AT)),
  };
  const [first, ...rest] = faults;
  if (first) return { faults: [first, ...rest] };
  if ('code' in identifier) throw new Error('a fault of the identifier was not collected');
  return {
    report: {
      ...{ identifier, ...report, isTimeReplaced: createdOn.reason !== undefined },
      ...(createdOn.reason !== undefined && { reason: createdOn.reason }),
    },
  };
}

/**
 * Reads the report of a postback or form, where every member is text: a member that is empty counts as absent, except an
 * empty `value`, which is invalid (interface: Conversions, rule 3), and a member that is repeated with the same value counts
 * once. Names ignore case. An unknown name that resembles a known one has no effect, and `reason` says so.
 */
export function readFlatReport(
  ids: SessionIds,
  members: Readonly<Record<string, unknown>>,
  receivedAt: number,
): ReadItem {
  const sent = new Map<string, unknown[]>();
  const unknown: string[] = [];
  for (const [given, values] of Object.entries(members)) {
    const known = KNOWN_NAMES.get(parameterName(given).toLowerCase());
    sent.set(known ?? given, [...(sent.get(known ?? given) ?? []), values].flat());
    if (known === undefined) unknown.push(given);
  }
  const hints = unknown.slice(0, MAX_HINTS).flatMap((given) => {
    const meant =
      given.length > MAX_NAME_LENGTH ? undefined : nearestName(parameterName(given), [...KNOWN_NAMES.values()]);
    return meant === undefined ? [] : `\`${given}\` was ignored. Perhaps you meant \`${meant}\`.`;
  });
  const present = [...sent].map(([name, values]) => [name, mergeRepeated(values)] as const);
  const { report, faults } = readReport(
    ids,
    Object.fromEntries(present.filter(([name, value]) => value !== '' || name === 'value')),
    receivedAt,
  );
  if (report) {
    const reason = [report.reason ?? [], hints].flat().join(' ');
    return { report: { ...report, ...(reason !== '' && { reason }) } };
  }
  const repeated = new Set(present.flatMap(([name, value]) => (Array.isArray(value) ? [name] : [])));
  const [first, ...others] = faults.map((fault) =>
    repeated.has(fault.path)
      ? { ...fault, detail: `\`${fault.path}\` is repeated with different values. Send it once.` }
      : fault,
  ) as typeof faults;
  return { faults: [{ ...first, detail: [first.detail, ...hints].join(' ') }, ...others] };
}

/** The parameters of a postback and a form by their names in lower case. */
const KNOWN_NAMES = new Map(
  [...IDENTIFIER_NAMES, 'event', 'eventId', 'createdOn', 'value', 'currency', 'conversion', 'extra', 'key'].map(
    (name) => [name.toLowerCase(), name],
  ),
);
/** Only so many unknown names are compared. */
const MAX_HINTS = 20;
const MAX_NAME_LENGTH = 40;

const EVENT = `\`event\` must be a string of 1 to ${LIMITS.eventLength} characters.`;
const EVENT_ID = `\`eventId\` must be a string of at most ${LIMITS.eventIdLength} characters, a number or null.`;
const VALUE = 'must be a number or numeric string up to 10^18, or null. An empty string is not zero.';
const CURRENCY = '`currency` must be a three-letter ISO 4217 code, or null.';
const KNOWN_AT = '`knownAt` must be a time that has passed: ISO 8601, or epoch seconds or milliseconds.';
const EXTRA = `\`extra\` must be an object of at most ${LIMITS.extraBytes / 1024} KiB of JSON and depth ${LIMITS.extraDepth}, or null.`;

/** The top-level value wins over the deprecated nested one, which is then ignored (interface: Conversions, rule 6). */
function readValue(
  { value, conversion }: Record<string, unknown>,
  fault: (path: string, code: string, detail: string) => null,
): string | null {
  if (!isMissing(value)) return readAmount(value) ?? fault('value', 'value_invalid', `\`value\` ${VALUE}`);
  if (isMissing(conversion) || conversion === '' || isEmptyArray(conversion)) return null;
  if (!isObject(conversion)) return fault('conversion', 'value_invalid', '`conversion` must be an object, or null.');
  if (isMissing(conversion.value)) return null;
  return readAmount(conversion.value) ?? fault('conversion/value', 'value_invalid', `\`conversion.value\` ${VALUE}`);
}

function readName(sent: unknown, max: number): string | undefined {
  if (typeof sent !== 'string' || sent === '') return undefined;
  return hasMoreCharacters(sent, max) ? undefined : sent;
}

function readExtra(sent: unknown): string | undefined {
  if (!isObject(sent) || depthOf(sent) > LIMITS.extraDepth) return undefined;
  const json = JSON.stringify(sent);
  return Buffer.byteLength(json) <= LIMITS.extraBytes ? json : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Unlike `isAbsent`, not for an empty string. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || isUnfilled(value);
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function asText(value: unknown): unknown {
  return typeof value === 'number' ? decimalText(value) : rawAsText(value);
}
