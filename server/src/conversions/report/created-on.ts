import { rawAsText } from '../../shared/json.ts';
import { isDate, isoTime, parseTimestamp } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';

const MAX_AHEAD_MS = 60 * MINUTE;
/** Smaller numbers are seconds (until the year 5138), larger ones milliseconds (since 1973). */
const MILLISECONDS_FROM = 1e11;
const MAX_LENGTH = 64;

interface CreatedOn {
  /** ISO 8601; null if none was sent. */
  at: string | null;
  /** Why it was replaced by the time of arrival, if it was. */
  reason?: string;
}

/**
 * When a conversion happened: ISO 8601 (a date means its start; a time without an offset is UTC), RFC 2822, or epoch seconds
 * or milliseconds as a number or in digits. A value that is unreadable or more than an hour ahead becomes the time of
 * arrival.
 */
export function readCreatedOn(sent: unknown, receivedAt: number): CreatedOn {
  if (sent === undefined || sent === null) return { at: null };
  const ms = millisecondsOf(rawAsText(sent));
  if (ms === undefined) return replaced('is unreadable', receivedAt);
  if (ms > receivedAt + MAX_AHEAD_MS) return replaced('is more than an hour ahead', receivedAt);
  return { at: isoTime(ms) };
}

/** A time in the same formats, as ISO 8601; undefined if it is unreadable or ahead. */
export function readTime(sent: unknown, receivedAt: number): string | undefined {
  const ms = millisecondsOf(rawAsText(sent));
  return ms === undefined || ms > receivedAt ? undefined : isoTime(ms);
}

const millisecondsOf = (sent: unknown) =>
  typeof sent === 'string' ? fromText(sent) : typeof sent === 'number' ? fromEpoch(sent) : undefined;

function replaced(fault: string, receivedAt: number): CreatedOn {
  return { at: isoTime(receivedAt), reason: `\`createdOn\` ${fault}; the time of arrival was used.` };
}

function fromText(sent: string): number | undefined {
  if (sent.length > MAX_LENGTH) return undefined;
  const text = sent.trim();
  // ISO 8601's basic format; read as seconds it would be in 1970.
  const date = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (isDate(date)) return parseTimestamp(`${date}T00:00:00Z`);
  if (/^\d{1,20}(?:\.\d{1,9})?$/.test(text)) return fromEpoch(Number(text));
  return fromIso(text) ?? fromRfc2822(text);
}

function fromIso(text: string): number | undefined {
  // In a query an unescaped + arrives as a space. An offset may omit its minutes.
  const time = text.replace(/(?<=:\d\d\S*) (?=\d\d(?::?\d\d)?$)/, '+').replace(/(?<=:\d\d.*)[+-]\d\d$/, '$&:00');
  return parseTimestamp(time) ?? parseTimestamp(`${time}Z`);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RFC2822 =
  /^(?:[a-z]{3}, ?)?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d\d:\d\d(?::\d\d)?)(?: {1,2}(?:gmt|utc?|z)| {0,2}([+-]?)(\d\d)(\d\d))?$/i;

function fromRfc2822(text: string): number | undefined {
  const [, day = '', name = '', year, time, sign = '', hours = '00', minutes = '00'] = RFC2822.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const two = (part: number | string) => String(part).padStart(2, '0');
  if (month === 0) return undefined;
  return parseTimestamp(`${year}-${two(month)}-${two(day)}T${time}${sign || '+'}${hours}:${minutes}`);
}

function fromEpoch(epoch: number): number | undefined {
  if (!(epoch >= 0 && epoch < Number.MAX_SAFE_INTEGER)) return undefined;
  return Math.round(epoch < MILLISECONDS_FROM ? epoch * 1000 : epoch);
}
