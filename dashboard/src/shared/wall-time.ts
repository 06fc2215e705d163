import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { addDays, isDay, isRange } from './days.ts';
import { displayTimeZone } from './time-zone.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The instant of a time in the display time zone. @param wallTime such as `2026-11-20`, `2026-11-20T08:00` or `2026-11-20 08:00:00` */
export const instantOf = (wallTime: string) => dayjs.tz(wallTime, displayTimeZone()).toISOString();

/** `2026-11-20 08:00:00` in the display time zone. */
export const wallTimeOf = (iso: string) => dayjs(iso).tz(displayTimeZone()).format('YYYY-MM-DD HH:mm:ss');

/** The instants of a range of days or times in the display time zone; `to` is exclusive. */
export function timesOfRange(range: { from?: string; to?: string }): { from?: string; to?: string } {
  if (!isRange(range)) return {};
  const { from, to } = range;
  return { from: instantOf(from), to: instantOf(isDay(to) ? addDays(to, 1) : to) };
}
