import { DAY, MINUTE } from './units.ts';

/** Returns the time in milliseconds since 1970. Tests pass their own clock. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)$/;

/** Whether `text` is `YYYY-MM-DD` and that day exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/**
 * Parses an RFC 3339 timestamp, which must have an offset, to milliseconds since 1970; undefined if it is invalid. Digits
 * beyond the millisecond are cut. Unlike `Date.parse` it refuses days and hours that do not exist.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone = 'Z'] = match;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  date.setUTCHours(h, mi, Math.min(s, 59), Number(fraction.padEnd(3, '0').slice(0, 3)));
  let ms = date.getTime();
  if (zone.toUpperCase() !== 'Z') {
    const [zoneHours, zoneMinutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
    if (zoneHours > 23 || zoneMinutes > 59) return undefined;
    ms -= (zone.startsWith('-') ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * MINUTE;
  }
  // PostgreSQL and JSON responses write four-digit years.
  return ms >= YEAR_1 && ms <= YEAR_9999 ? ms : undefined;
}

const YEAR_1 = Date.parse('0001-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');

/** When a day (`YYYY-MM-DD`) starts in a time zone, in milliseconds since 1970; undefined outside of the years 1 to 9999. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  const ms = Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
  return ms >= YEAR_1 && ms <= YEAR_9999 ? ms : undefined;
}

/** Whether `name` is in the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    // Offsets such as +02:00 are not names.
    return (
      /^[A-Za-z][\w+/-]*$/.test(name) &&
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name) !== undefined
    );
  } catch {
    return false;
  }
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
/** Days that were formatted, as `2026-11-20T`. */
const days = new Map<number, { text: string; bytes: Buffer }>();
const MAX_DAYS = 10_000;

/** `2026-11-20T08:00:00.000Z`. A list has a hundred times on a few days: formatting a day takes most of the time. */
export function isoTime(time: number | Date): string {
  const ms = typeof time === 'number' ? Math.trunc(time) : time.getTime();
  const day = Math.floor(ms / DAY);
  const { text } = days.get(day) ?? formatDay(day);
  // An integer of 32 bits, whose parts take a fraction of the time.
  let rest = (ms - day * DAY) | 0;
  const fraction = rest % 1000;
  rest = (rest - fraction) / 1000;
  const second = rest % 60;
  rest = (rest - second) / 60;
  const minute = rest % 60;
  return `${text}${TWO_DIGITS[(rest - minute) / 60]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}.${THREE_DIGITS[fraction]}Z`;
}

const [ZERO = 0, COLON = 0, DOT = 0, Z = 0] = Buffer.from('0:.Z');

/** How many bytes a time takes, at most. */
export const TIME_BYTES = 27;

/** Writes what `isoTime` returns. @returns where it ends */
export function writeIsoTime(target: Buffer, at: number, time: number): number {
  const day = Math.floor(time / DAY);
  const { bytes } = days.get(day) ?? formatDay(day);
  target.set(bytes, at);
  // An integer of 32 bits, whose parts take a fraction of the time.
  const ms = (time - day * DAY) | 0;
  const seconds = (ms / 1000) | 0;
  const fraction = ms - seconds * 1000;
  const minutes = (seconds / 60) | 0;
  const second = seconds - minutes * 60;
  const hour = (minutes / 60) | 0;
  const minute = minutes - hour * 60;
  let to = at + bytes.length;
  target[to++] = ZERO + ((hour / 10) | 0);
  target[to++] = ZERO + (hour % 10);
  target[to++] = COLON;
  target[to++] = ZERO + ((minute / 10) | 0);
  target[to++] = ZERO + (minute % 10);
  target[to++] = COLON;
  target[to++] = ZERO + ((second / 10) | 0);
  target[to++] = ZERO + (second % 10);
  target[to++] = DOT;
  target[to++] = ZERO + ((fraction / 100) | 0);
  target[to++] = ZERO + (((fraction / 10) | 0) % 10);
  target[to++] = ZERO + (fraction % 10);
  target[to++] = Z;
  return to;
}

/** @throws RangeError beyond the range of dates */
function formatDay(day: number): { text: string; bytes: Buffer } {
  const text = new Date(day * DAY).toISOString().slice(0, -13);
  if (days.size >= MAX_DAYS) days.clear();
  const formatted = { text, bytes: Buffer.from(text) };
  days.set(day, formatted);
  return formatted;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
