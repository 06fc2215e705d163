import { addDays, daysBetween, isDay, today } from '../shared/days.ts';
import { displayTimeZone } from '../shared/time-zone.ts';

export const DIMENSIONS = [
  'source',
  'medium',
  'campaign',
  'platform',
  'landingPage',
  'page',
  'event',
  'funnel',
  'country',
  'device',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The state of the overview, as in the URL. */
export interface OverviewState {
  /** A key of PERIODS, unless `from` and `to` name a custom range. */
  period?: string;
  from?: string;
  to?: string;
  compare?: 'previous' | 'year' | 'none';
  /** The value that each dimension is filtered by; an empty one stands for a missing value. */
  filters?: Partial<Record<Dimension, string>>;
}

export const PERIODS: Record<string, { label: string; days: number }> = {
  day: { label: 'Today', days: 1 },
  week: { label: '7 days', days: 7 },
  month: { label: '30 days', days: 30 },
  quarter: { label: '90 days', days: 90 },
  year: { label: '12 months', days: 365 },
};
export const DEFAULT_PERIOD = 'month';

/** Reads search parameters that may come from anywhere. */
export function readOverviewState(search: Record<string, unknown>): OverviewState {
  const { period, from, to, compare } = search;
  const given = (search.filters ?? {}) as Record<string, unknown>;
  const filters = Object.fromEntries(
    DIMENSIONS.filter((name) => typeof given === 'object' && typeof given[name] === 'string').map((name) => [
      name,
      String(given[name]),
    ]),
  );
  return {
    ...(typeof period === 'string' && period in PERIODS && { period }),
    ...(isDay(from) && isDay(to) && from <= to && { from, to }),
    ...((compare === 'year' || compare === 'none') && { compare }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}

export type Interval = 'hour' | 'day' | 'week' | 'month';

export interface Span {
  from: string;
  /** Exclusive. */
  to: string;
  timeZone: string;
  interval: Interval;
  compare: 'previous' | 'year' | 'none';
}

/** The days of the report in the display time zone, and the interval of its chart. */
export function spanOf(state: OverviewState, lastDay = today()): Span {
  const { days } = PERIODS[state.period ?? DEFAULT_PERIOD] ?? { days: 30 };
  const from = state.from ?? addDays(lastDay, 1 - days);
  const to = addDays(state.to ?? lastDay, 1);
  const length = daysBetween(from, to);
  return {
    from,
    to,
    timeZone: displayTimeZone(),
    interval: length <= 2 ? 'hour' : length <= 92 ? 'day' : length <= 370 ? 'week' : 'month',
    compare: state.compare ?? 'previous',
  };
}

/** The first and the last day of a span, both inclusive. */
export function daysOf({ from, to }: Span): { from: string; to: string } {
  return { from, to: addDays(to, -1) };
}

/** The filters as query parameters of a report. */
export function filterParams(filters: OverviewState['filters'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter[${name}]`, value]));
}
