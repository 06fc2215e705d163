import { type Fault, refuse } from '../../shared/errors.ts';
import { isDate, isoTime, isTimeZone, parseTimestamp } from '../../shared/time.ts';
import { DAY, HOUR } from '../../shared/units.ts';
import type { Period } from '../dimensions.ts';
import { LIMITS } from '../limits.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Events without a session are counted by quarters of an hour, of which every zone's offset is a multiple. */
const QUARTER_MS = 900_000;
const MAX_PERIOD_MS = LIMITS.periodDays * DAY;
const MIN_TIME = Date.parse('1900-01-01T00:00:00Z');
const MAX_TIME = Date.parse('3000-01-01T00:00:00Z');

/** A period as requested: days of the time zone, local times of it, or times. */
export interface Range {
  from: string;
  to: string;
  timeZone?: string;
}

/**
 * Parses the period of a request.
 * @param parent of the pointers of faults: `?` for a query, `/` for a body
 * @throws ApiError 400 for these and the given faults
 */
export function parsePeriod(range: Range, parent: '?' | '/', faults: Fault[] = []): Period {
  const { timeZone = 'UTC' } = range;
  const addFault = (name: string, code: string, detail: string) =>
    faults.push({ pointer: `${parent}${name}`, code, detail });
  if (!isTimeZone(timeZone)) {
    const detail = '`timeZone` must be a name of the IANA time zone database, such as Europe/Berlin.';
    addFault('timeZone', 'time_zone_unknown', detail);
    refuse(faults);
  }
  const parse = (name: 'from' | 'to') => {
    const text = range[name];
    const time = parseTime(text, timeZone);
    if (time !== undefined && time % QUARTER_MS === 0 && time >= MIN_TIME && time < MAX_TIME) return time;
    const detail = `\`${name}\` must be a day, such as 2026-11-20, a time of the time zone, such as 2026-11-20T08:15, or an RFC 3339 time, such as 2026-11-20T08:15:00Z, on a quarter of an hour between the years 1900 and 2999.`;
    addFault(name, 'timestamp_invalid', detail);
    return Number.NaN;
  };
  const period = { from: parse('from'), to: parse('to') };
  if (period.from >= period.to) addFault('to', 'range_empty', '`to` must be later than `from`.');
  else if (period.to - period.from > MAX_PERIOD_MS) {
    addFault('to', 'range_too_long', '`to` must be within ten years of `from`.');
  }
  refuse(faults);
  return period;
}

const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):(00|15|30|45)$/;

/** At a clock change, a local time that occurs twice is the first one, and a skipped one is shifted by the change. */
function parseTime(text: string, timeZone: string): number | undefined {
  if (isDate(text)) return startOfDay(Temporal.PlainDate.from(text), timeZone);
  const day = LOCAL_TIME.exec(text)?.[1];
  if (day === undefined || !isDate(day)) return parseTimestamp(text);
  return roundUp(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds);
}

function startOfDay(day: Temporal.PlainDate, timeZone: string): number {
  return roundUp(day.toZonedDateTime(timeZone).epochMilliseconds);
}

/** Early zones had offsets of seconds. */
function roundUp(ms: number): number {
  return Math.ceil(ms / QUARTER_MS) * QUARTER_MS;
}

export const COMPARISONS = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/**
 * The period to compare with: the previous one of the same length (in days, if requested in days), or the same a year before.
 * While the period is not over, it is compared to the same part of the other one: today to the same hours of yesterday.
 */
export function comparisonOf(range: Range, period: Period, compare: Comparison, now: number): Period | undefined {
  if (compare === 'none') return undefined;
  const { from, to } = fullComparisonOf(range, period, compare);
  if (now <= period.from || now >= period.to) return { from, to };
  const { timeZone = 'UTC' } = range;
  if (compare === 'previous' && !hasDays(range)) return { from, to: from + roundUp(now) - period.from };
  const zoned = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  // By the calendar of the zone, so that noon is compared to noon when clocks change.
  const shift = zoned(from).until(zoned(period.from), { largestUnit: 'day' });
  return { from, to: Math.min(to, Math.max(from + QUARTER_MS, roundUp(zoned(now).subtract(shift).epochMilliseconds))) };
}

const hasDays = ({ from, to }: Range) => isDate(from) && isDate(to);

function fullComparisonOf(range: Range, period: Period, compare: 'previous' | 'year'): Period {
  const { timeZone = 'UTC' } = range;
  if (compare === 'previous') {
    if (!hasDays(range)) return { from: 2 * period.from - period.to, to: period.from };
    const day = Temporal.PlainDate.from(range.from);
    return { from: startOfDay(day.subtract(day.until(range.to)), timeZone), to: period.from };
  }
  const yearBefore = (name: 'from' | 'to') => {
    if (isDate(range[name])) return startOfDay(Temporal.PlainDate.from(range[name]).subtract({ years: 1 }), timeZone);
    const time = Temporal.Instant.fromEpochMilliseconds(period[name]).toZonedDateTimeISO(timeZone);
    return roundUp(time.subtract({ years: 1 }).epochMilliseconds);
  };
  return { from: yearBefore('from'), to: yearBefore('to') };
}

const MIN_LENGTH_MS: Record<Interval, number> = {
  hour: HOUR,
  day: 23 * HOUR,
  week: 166 * HOUR,
  month: 671 * HOUR,
};

/** The starts of the hours, days, weeks (from Monday) or months of a period; the first and the last may be partial. */
export function intervalStarts({ from, to }: Period, interval: Interval, timeZone = 'UTC'): number[] {
  if ((to - from) / MIN_LENGTH_MS[interval] > LIMITS.intervals) {
    const detail = `The period has more than ${LIMITS.intervals} intervals. Request a longer interval or a shorter period.`;
    refuse([{ pointer: '?interval', code: 'line_too_long', detail }]);
  }
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const day = first.toPlainDate();
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const startOf: Record<Interval, (n: number) => number> = {
    // Hours follow one another in real time, so that none is lost or repeated when clocks change.
    hour: (n) => roundUp(from - (first.minute * 60 + first.second) * 1_000) + n * HOUR,
    day: (n) => startOfDay(day.add({ days: n }), timeZone),
    week: (n) => startOfDay(monday.add({ weeks: n }), timeZone),
    month: (n) => startOfDay(day.with({ day: 1 }).add({ months: n }), timeZone),
  };
  const starts = [from];
  for (let n = 1, start = startOf[interval](n); start < to; start = startOf[interval](++n)) starts.push(start);
  return starts;
}

export function serializePeriod({ from, to }: Period): { from: string; to: string } {
  return { from: isoTime(from), to: isoTime(to) };
}
