import { prepareValidator } from '../../shared/http/validate.ts';
import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import { type Money, type Numbers, type Overview, OverviewQuery } from '../contract.ts';
import { addOutcome, countByInterval, noOutcomes, toNumbers } from '../engine/index.ts';
import { daysOfPreset } from '../sharing/preset-periods.ts';
import { type ContextFor, exchangeOf, type ReportContext } from './context.ts';
import { parseReport } from './parse-query.ts';
import { intervalStarts, serializePeriod } from './periods.ts';

/** The numbers of a period, by interval, and their change against a comparison period. */
export async function getOverview(context: ReportContext, query: OverviewQuery): Promise<Overview> {
  const { db, clock, runner, accountId, settings, channels, abandoned } = context;
  const { interval = 'day', compare = 'previous', timeZone = settings.timeZone } = query;
  const now = clock();
  const { period, comparison, periods, ...selection } = parseReport(
    { ...query, timeZone },
    compare,
    now,
    [],
    context.filters,
  );
  const [progress] = await findProgress(db);
  const exchange = await exchangeOf(context, periods, selection.knownOn ?? now);
  const plans = periods.map((each) => ({
    period: each,
    starts: each.from < each.to ? intervalStarts(each, interval, timeZone) : [],
  }));
  const { knownOn, ...rest } = selection;
  const [counts, ...outcomes] = await Promise.all([
    runner.run('count', { accountId, ...rest, plans }, abandoned),
    ...plans.map((plan) =>
      countByInterval(db, { accountId, ...selection, channels, exchange, period: plan.period }, plan.starts),
    ),
  ]);
  const [current, previous] = [period, comparison].map((whole, i) => {
    if (!whole) return undefined;
    const starts = intervalStarts(whole, interval, timeZone);
    const total = noOutcomes();
    const byInterval = starts.map(noOutcomes);
    for (const row of outcomes[i] ?? []) addOutcome(byInterval[row.interval ?? -1] ?? total, row);
    return {
      numbers: toNumbers(counts[i]?.total, exchange, total),
      line: starts.map((at, n) => ({
        at: isoTime(at),
        ...toNumbers(counts[i]?.intervals[n], exchange, byInterval[n]),
      })),
    };
  });
  if (!current) throw new Error('the period was not counted');
  return {
    ...serializePeriod(period),
    timeZone,
    interval,
    asOf: isoTime(progress?.recorded_at ?? 0),
    asKnownOn: isoTime(knownOn ?? now),
    current: current.numbers,
    previous: previous && comparison ? { ...serializePeriod(comparison), ...previous.numbers } : null,
    change: previous ? changesOf(current.numbers, previous.numbers) : null,
    line: current.line,
    previousLine: previous?.line ?? null,
  };
}

/**
 * Computes the overview that the dashboard shows first. Twice: what runs for the second time takes half as long, and once more
 * half as long the third time.
 */
export async function readOverviewAhead(contextFor: ContextFor, accountId: string): Promise<void> {
  prepareValidator(OverviewQuery);
  const context = await contextFor(accountId, new AbortController().signal);
  const days = daysOfPreset('month', context.clock(), context.settings.timeZone);
  for (let i = 0; i < 2; i++) await getOverview(context, days);
}

function changesOf(now: Numbers, before: Numbers): NonNullable<Overview['change']> {
  const change = (name: Exclude<keyof Numbers, 'revenue' | 'convertedRevenue'>) => changeOf(now[name], before[name]);
  const currencies = new Set([...now.revenue, ...before.revenue].map(({ currency }) => currency));
  const amount = (revenue: Money[], currency: string | null) =>
    Number(revenue.find((each) => each.currency === currency)?.value ?? 0);
  return {
    visits: change('visits'),
    visitors: change('visitors'),
    sessions: change('sessions'),
    bounceRate: change('bounceRate'),
    visitsPerSession: change('visitsPerSession'),
    sessionDuration: change('sessionDuration'),
    leads: change('leads'),
    conversions: change('conversions'),
    conversionRate: change('conversionRate'),
    revenue: [...currencies].map((currency) => ({
      currency,
      change: changeOf(amount(now.revenue, currency), amount(before.revenue, currency)),
    })),
    convertedRevenue: changeOf(convertedAmount(now), convertedAmount(before)),
  };
}

const convertedAmount = ({ convertedRevenue }: Numbers) => convertedRevenue && Number(convertedRevenue.value);

/** 0.25 is an increase by a quarter. */
function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : now / before - 1;
}
