import { type Identifier, readIdentifier } from '../tracking/index.ts';
import { readAmount } from './amount.ts';
import { readCreatedOn } from './created-on.ts';
import { readCurrency } from './currency.ts';

/** What a back end reports, checked. Null is what it did not name, so that restating leaves it as it was. */
export interface ReadReport {
  identifier: Identifier;
  event: string | null;
  /** ISO 8601. */
  createdOn: string | null;
  eventId: string | null;
  /** As `numeric` reads it. */
  value: string | null;
  currency: string | null;
  /** JSON. */
  extra: string | null;
  /** What its sender should know although it was taken. */
  reason?: string;
}

export interface ItemFault {
  /** Where in the item: `gclid`, `conversion/value`; empty for the item itself. */
  at: string;
  code: string;
  detail: string;
}

export type ReadItem =
  | { report: ReadReport; faults?: undefined }
  | { report?: undefined; faults: [ItemFault, ...ItemFault[]] };

const MAX_NAME = 255;
const MAX_EXTRA_BYTES = 32 * 1024;

/** Reads one item of a report, of a body or of a query, with all that is wrong with it (interface: Conversions, rules 1, 3, 6). */
export function readReport(item: unknown, receivedAt: number): ReadItem {
  if (!isObject(item)) return { faults: [{ at: '', code: 'item_invalid', detail: 'An item must be an object.' }] };
  const faults: ItemFault[] = [];
  const fault = (at: string, code: string, detail: string): null => {
    faults.push({ at, code, detail });
    return null;
  };

  const identifier = readIdentifier(item);
  if ('code' in identifier) {
    for (const at of identifier.names.length > 0 ? identifier.names : ['']) {
      fault(at, identifier.code, identifier.detail);
    }
  }
  const event = readName(item.event);
  const createdOn = readCreatedOn(item.createdOn, receivedAt);
  const eventId = isBlank(item.eventId) ? null : readName(item.eventId);
  const report = {
    event: item.event === undefined ? null : (event ?? fault('event', 'event_invalid', EVENT)),
    createdOn: createdOn.at,
    eventId: eventId === undefined ? fault('eventId', 'event_id_invalid', EVENT_ID) : eventId,
    value: readValue(item, fault),
    currency: isAbsent(item.currency)
      ? null
      : (readCurrency(item.currency) ?? fault('currency', 'currency_invalid', CURRENCY)),
    extra: isAbsent(item.extra) ? null : (readExtra(item.extra) ?? fault('extra', 'extra_invalid', EXTRA)),
  };
  const [first, ...rest] = faults;
  if (first) return { faults: [first, ...rest] };
  if ('code' in identifier) throw new Error('a fault of the identifier was not noted');
  return {
    report: { identifier, ...report, ...(createdOn.reason !== undefined && { reason: createdOn.reason }) },
  };
}

const EVENT = `event must be a string of 1 to ${MAX_NAME} characters.`;
const EVENT_ID = `eventId must be a string of at most ${MAX_NAME} characters, or null.`;
const VALUE = 'must be a number or a numeric string up to 10^18, or null; an empty string is not zero.';
const CURRENCY = 'currency must be a three-letter code of ISO 4217, or null.';
const EXTRA = `extra must be an object of at most ${MAX_EXTRA_BYTES / 1024} KiB of JSON, or null.`;

/** The top-level value wins over the deprecated nested one, which is then not looked at (interface: Conversions, rule 6). */
function readValue(
  { value, conversion }: Record<string, unknown>,
  fault: (at: string, code: string, detail: string) => null,
): string | null {
  if (!isAbsent(value)) return readAmount(value) ?? fault('value', 'value_invalid', `value ${VALUE}`);
  if (isAbsent(conversion)) return null;
  if (!isObject(conversion)) return fault('conversion', 'value_invalid', 'conversion must be an object, or null.');
  if (isAbsent(conversion.value)) return null;
  return readAmount(conversion.value) ?? fault('conversion/value', 'value_invalid', `conversion.value ${VALUE}`);
}

function readName(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || sent === '') return undefined;
  // Characters, not UTF-16 units: counted only where the difference can matter.
  return sent.length <= MAX_NAME || (sent.length <= 2 * MAX_NAME && [...sent].length <= MAX_NAME) ? sent : undefined;
}

function readExtra(sent: unknown): string | undefined {
  if (!isObject(sent)) return undefined;
  const json = JSON.stringify(sent);
  return Buffer.byteLength(json) <= MAX_EXTRA_BYTES ? json : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** White space names no conversion: all that sent it would restate one another. */
function isBlank(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'string' && value.trim() === '');
}
