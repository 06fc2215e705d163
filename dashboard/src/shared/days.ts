import { DAY } from '../../../server/src/shared/units.ts';
import { displayTimeZone } from './time-zone.ts';

// Days such as `2026-11-20`, without a time zone. Small, because the first page loads it.

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Today in the display time zone. */
export function today(now = Date.now()): string {
  // Swedish writes days as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone: displayTimeZone() }).format(now);
}

export const addDays = (day: string, days: number) => toDay(toMs(day) + days * DAY);

/** The number of days from one to the other. */
export const daysBetween = (from: string, to: string) => Math.round((toMs(to) - toMs(from)) / DAY);

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(toMs(value));

/** Whether it is a time of day in the display time zone on a quarter of an hour: `2026-11-20T08:15`. */
const isWallTime = (value: unknown): value is string =>
  typeof value === 'string' &&
  /T([01]\d|2[0-3]):(00|15|30|45)$/.test(value) &&
  value.length === 16 &&
  isDay(value.slice(0, 10));

/** A range of days, the last one included, or of times. */
export const isRange = (range: { from?: unknown; to?: unknown }): range is { from: string; to: string } =>
  (isDay(range.from) && isDay(range.to) && range.from <= range.to) ||
  (isWallTime(range.from) && isWallTime(range.to) && range.from < range.to);

/** The days of a range, the last one included. */
export function daysOfRange({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const last = to.slice(0, 10);
  return { from: from.slice(0, 10), to: to.endsWith('T00:00') ? addDays(last, -1) : last };
}
