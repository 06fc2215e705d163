import { type Fault, refuse } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isDate, parseTimestamp } from '../shared/time.ts';
import type { Period } from './dimensions.ts';
import { findLocalTimes, findStarts } from './report-queries.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Events without a session are counted by quarters of an hour, which every zone's offset is a multiple of. */
const QUARTER_MS = 900_000;
const LONGEST_MS = 3_660 * 86_400_000;
export const MOST_PARTS = 1_000;

/** A period as it was asked for: days of the zone, or times. */
export interface Range {
  from: string;
  to: string;
  timeZone: string;
}

const ZONES = new Map<string, boolean>();

export function isTimeZone(name: string): boolean {
  let known = ZONES.get(name);
  if (known === undefined) {
    try {
      // Offsets such as +02:00, which the platform takes as well, mean the opposite to PostgreSQL.
      known = /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
    } catch {
      known = false;
    }
    if (ZONES.size < 1_000) ZONES.set(name, known);
  }
  return known;
}

/**
 * When a period begins and ends, in milliseconds since 1970. `from` is in, `to` is out.
 * @param at where it stands in the request: `?` of a query, `/` of a body
 */
export async function readPeriod(tx: Tx, asked: Range, at: '?' | '/', faults: Fault[]): Promise<Period> {
  const fault = (name: string, code: string, detail: string) => faults.push({ pointer: `${at}${name}`, code, detail });
  const { timeZone } = asked;
  if (!isTimeZone(timeZone)) {
    fault('timeZone', 'time_zone_unknown', 'must be a name of the IANA time zone database, such as Europe/Berlin');
    return { from: 0, to: 0 };
  }
  const read = async (name: 'from' | 'to') => {
    const text = asked[name];
    if (isDate(text)) return localTime(tx, text, timeZone);
    const time = parseTimestamp(text);
    if (time !== undefined && time % QUARTER_MS === 0) return time;
    fault(
      name,
      'timestamp_invalid',
      'must be a day, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour, such as 2026-11-20T08:15:00Z',
    );
    return Number.NaN;
  };
  const [from, to] = [await read('from'), await read('to')];
  if (from >= to) fault('to', 'range_empty', 'must be later than `from`');
  else if (to - from > LONGEST_MS) fault('to', 'range_too_long', 'must be within ten years of `from`');
  return { from, to };
}

async function localTime(tx: Tx, day: string, timeZone: string): Promise<number> {
  const [row] = await findLocalTimes(tx, [day], timeZone);
  if (!row) throw new Error('a day has no time');
  return roundUp(row.at.getTime());
}

/** Zones of before 1972 have odd offsets. */
function roundUp(ms: number): number {
  return Math.ceil(ms / QUARTER_MS) * QUARTER_MS;
}

/** The period of the same length before, by days where it was asked for by days; or the same days of the year before. */
export async function periodBefore(
  tx: Tx,
  asked: Range,
  period: Period,
  compare: 'previous' | 'year',
): Promise<Period> {
  const { from, to, timeZone } = asked;
  if (compare === 'year') {
    const [start, end] = await findLocalTimes(tx, [period.from, period.to].map(isoOf), timeZone, '1 year');
    return { from: roundUp(start?.at.getTime() ?? 0), to: roundUp(end?.at.getTime() ?? 0) };
  }
  if (!isDate(from) || !isDate(to)) return { from: 2 * period.from - period.to, to: period.from };
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  const [start] = await findLocalTimes(tx, [from], timeZone, `${days} days`);
  return { from: roundUp(start?.at.getTime() ?? 0), to: period.from };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

const SHORTEST: Record<Interval, number> = {
  hour: 3_600_000,
  day: 82_800_000,
  week: 600_000_000,
  month: 2_415_600_000,
};

/** Where the parts of a line begin: hours, days, weeks (from Monday) or months of the zone; the first and the last may be cut. */
export async function partsOf(tx: Tx, { from, to }: Period, interval: Interval, timeZone: string): Promise<number[]> {
  const most = Math.ceil((to - from) / SHORTEST[interval]) + 3;
  if (most > MOST_PARTS) {
    const detail = `would have more than ${MOST_PARTS - 3} parts: take a longer interval or a shorter period`;
    refuse([{ pointer: '?interval', code: 'line_too_long', detail }]);
  }
  const rows = await findStarts(tx, new Date(from), timeZone, interval, most);
  const starts = rows.map(({ at }) => roundUp(at.getTime())).filter((start) => start > from && start < to);
  return [from, ...starts.filter((start, i) => start !== starts[i - 1])];
}
