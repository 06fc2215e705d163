import type { CreateSharedLinkRequest } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { addDays, daysBetween, daysOfRange, isDay, isRange, today } from '../shared/days.ts';
import { displayTimeZone } from '../shared/time-zone.ts';

export const DIMENSIONS = [
  'source',
  'channel',
  'referrer',
  'medium',
  'campaign',
  'term',
  'content',
  'platform',
  'landingPage',
  'page',
  'exitPage',
  'event',
  'funnel',
  'country',
  'region',
  'device',
  'browser',
  'os',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const OPERATORS = ['is', 'isNot', 'contains', 'containsNot'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Filter {
  dimension: Dimension;
  operator: Operator;
  /** An empty text stands for a missing value. */
  values: string[];
}

/** The state of the overview, as in the URL. */
export interface OverviewState {
  /** Unless `from` and `to` name a custom range: days, the last one included, or times. */
  period?: PeriodName;
  from?: string;
  to?: string;
  compare?: 'previous' | 'year' | 'none';
  /** By dimension, or dimension and operator: `{"source": "google", "page.contains": ["/blog"]}`. */
  filters?: Record<string, string | string[]>;
}

export type PeriodName = Extract<CreateSharedLinkRequest['period'], { preset: unknown }>['preset'];

interface PresetPeriod {
  label: string;
  /** The first and the last day. */
  days: (today: string) => [from: string, to: string];
  /** Offered in the dialog of custom ranges, not beside the title. */
  isFurther?: true;
}

const lastDays = (label: string, days: number): PresetPeriod => ({
  label,
  days: (today) => [addDays(today, 1 - days), today],
});
const startOfMonth = (day: string) => `${day.slice(0, 8)}01`;
/** 0 is Monday. */
const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

export const PERIODS: Record<PeriodName, PresetPeriod> = {
  day: lastDays(t('Today'), 1),
  week: lastDays(t('7 days'), 7),
  month: lastDays(t('30 days'), 30),
  quarter: lastDays(t('90 days'), 90),
  year: lastDays(t('12 months'), 365),
  yesterday: {
    label: t('Yesterday'),
    days: (today) => [addDays(today, -1), addDays(today, -1)],
    isFurther: true,
  },
  weekToDate: {
    label: t('Week to date'),
    days: (today) => [addDays(today, -weekdayOf(today)), today],
    isFurther: true,
  },
  monthToDate: { label: t('Month to date'), days: (today) => [startOfMonth(today), today], isFurther: true },
  lastMonth: {
    label: t('Last month'),
    days: (today) => {
      const last = addDays(startOfMonth(today), -1);
      return [startOfMonth(last), last];
    },
    isFurther: true,
  },
  yearToDate: { label: t('Year to date'), days: (today) => [`${today.slice(0, 4)}-01-01`, today], isFurther: true },
  // The longest period of a report.
  all: { ...lastDays(t('All time'), 3_650), isFurther: true },
};
export const DEFAULT_PERIOD: PeriodName = 'month';

export const isPeriodName = (name: unknown): name is PeriodName =>
  typeof name === 'string' && Object.hasOwn(PERIODS, name);

/** Reads search parameters that may come from anywhere. */
export function readOverviewState(search: Record<string, unknown>): OverviewState {
  const { period, from, to, compare } = search;
  const given = typeof search.filters === 'object' && search.filters !== null ? Object.entries(search.filters) : [];
  const filters = Object.fromEntries(
    given.flatMap(([key, sent]) => {
      const values = (Array.isArray(sent) ? sent : [sent]).filter((value) => typeof value === 'string');
      return isFilterKey(key) && values.length > 0 ? [[key, Array.isArray(sent) ? values : (values[0] ?? '')]] : [];
    }),
  );
  return {
    ...(isPeriodName(period) && { period }),
    ...(isRange({ from, to }) && { from: String(from), to: String(to) }),
    ...((compare === 'year' || compare === 'none') && { compare }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}

const isFilterKey = (key: string) => {
  const [dimension, operator = 'is', ...rest] = key.split('.');
  return (
    rest.length === 0 &&
    (DIMENSIONS as readonly string[]).includes(dimension ?? '') &&
    (OPERATORS as readonly string[]).includes(operator)
  );
};

export const filtersOf = ({ filters = {} }: OverviewState): Filter[] =>
  Object.entries(filters).map(([key, values]) => {
    const [dimension, operator = 'is'] = key.split('.');
    return { dimension: dimension as Dimension, operator: operator as Operator, values: [values].flat() };
  });

/** Sets the values of a filter; none remove it. */
export function withFilter(state: OverviewState, { dimension, operator, values }: Filter): OverviewState['filters'] {
  const key = operator === 'is' ? dimension : `${dimension}.${operator}`;
  const { [key]: _, ...rest } = state.filters ?? {};
  const [value = ''] = values;
  const next = values.length === 0 ? rest : { ...rest, [key]: values.length === 1 ? value : values };
  return Object.keys(next).length === 0 ? undefined : next;
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

/** The days or times of the report in the display time zone, and the interval of its chart. */
export function spanOf(state: OverviewState, lastDay = today()): Span {
  const { days } = PERIODS[state.period ?? DEFAULT_PERIOD];
  const [from, last] = state.from && state.to ? [state.from, state.to] : days(lastDay);
  const to = isDay(last) ? addDays(last, 1) : last;
  const length = daysBetween(from.slice(0, 10), to.slice(0, 10));
  return {
    from,
    to,
    timeZone: displayTimeZone(),
    interval: length <= 2 ? 'hour' : length <= 92 ? 'day' : length <= 370 ? 'week' : 'month',
    // There is nothing before all time.
    compare: state.period === 'all' && !state.from ? 'none' : (state.compare ?? 'previous'),
  };
}

/** The range of a span as in the state: the last day is included. */
export const rangeOf = ({ from, to }: Pick<Span, 'from' | 'to'>): { from: string; to: string } =>
  isDay(to) ? { from, to: addDays(to, -1) } : { from, to };

/** The first and the last day of a span, both included. */
export const daysOf = (span: Pick<Span, 'from' | 'to'>) => daysOfRange(rangeOf(span));

/** Ad spend is known by day, so that it is compared with whole days only. */
export const hasWholeDays = ({ from }: Pick<Span, 'from'>) => isDay(from);

/** The filters as query parameters of a report. */
export const filterParams = (filters: OverviewState['filters']): Record<string, string[]> =>
  Object.fromEntries(
    filtersOf(filters ? { filters } : {}).map(({ dimension, operator, values }) => [
      operator === 'is' ? `filter[${dimension}]` : `filter[${dimension}][${operator}]`,
      values,
    ]),
  );
