import { displayTimeZone } from './time-zone.ts';

// Days such as `2026-11-20`, without a time zone. Small, because the first page loads it.

const DAY_MS = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Today in the display time zone. */
export function today(now = Date.now()): string {
  // Swedish writes days as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone: displayTimeZone() }).format(now);
}

export const addDays = (day: string, days: number) => toDay(toMs(day) + days * DAY_MS);

/** The number of days from one to the other. */
export const daysBetween = (from: string, to: string) => Math.round((toMs(to) - toMs(from)) / DAY_MS);

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(toMs(value));
