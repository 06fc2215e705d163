import { MINUTE } from '../../shared/units.ts';

export const WINDOWS = ['lastHour', 'today', 'yesterday', 'last7Days'] as const;
type AlertWindow = (typeof WINDOWS)[number];

/** A window, and what it is compared with. Times are in milliseconds. */
export interface Windows {
  /** The current one first. `knownAt` is as long after each as now is after the current one. */
  all: { from: number; to: number; knownAt: number }[];
  perWeek: number;
  /** Whether the current one is not over. */
  isRunning: boolean;
}

const WEEKS = 8;

/** The current window in a time zone, and the same one on earlier days, or in earlier weeks if it is a week. */
export function windowsOf(window: AlertWindow | { minutes: number }, timeZone: string, now: number): Windows {
  // Reports count by the minute.
  const minute = Math.floor(now / MINUTE) * MINUTE;
  const zoned = Temporal.Instant.fromEpochMilliseconds(minute).toZonedDateTimeISO(timeZone);
  const today = zoned.startOfDay();
  const minutes = typeof window === 'object' ? window.minutes : 60;
  const name = typeof window === 'object' ? 'lastHour' : window;
  const [start, end] = {
    lastHour: [zoned.subtract({ minutes }), zoned],
    today: [today, zoned],
    yesterday: [today.subtract({ days: 1 }).startOfDay(), today],
    last7Days: [today.subtract({ days: 7 }).startOfDay(), today],
  }[name] as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const perWeek = name === 'last7Days' ? 1 : 7;
  const all = Array.from({ length: WEEKS * perWeek + 1 }, (_, step) => {
    const days = (step * 7) / perWeek;
    // By the clock of the zone: a day of a change of the clock is compared from midnight to midnight, too.
    const [from, to, knownAt] = [start, end, zoned].map((each) => each.subtract({ days }).epochMilliseconds) as [
      number,
      number,
      number,
    ];
    return { from, to: Math.max(from, to), knownAt };
  });
  return { all, perWeek, isRunning: typeof window === 'string' && (window === 'lastHour' || window === 'today') };
}
