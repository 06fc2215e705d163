import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import type { Money, Numbers, Overview, OverviewQuery } from './contract.ts';
import type { Period } from './dimensions.ts';
import { addOutcome, changeOf, noOutcomes, numbersOf } from './numbers.ts';
import { partsOf, periodBefore, readPeriod } from './periods.ts';
import { findProgress } from './queries.ts';
import { readFilters } from './read-query.ts';
import { countParts } from './report-queries.ts';
import type { Counted } from './reports.ts';
import type { IsGivenUp, ReportsThread } from './run-reports.ts';

/** The numbers of a period, their change against the one before, and their line. */
export async function makeOverview(
  { db }: Pick<Deps, 'db'>,
  reports: ReportsThread,
  accountId: string,
  query: OverviewQuery,
  isGivenUp: IsGivenUp,
): Promise<Overview> {
  const { interval = 'day', compare = 'previous', timeZone = 'UTC' } = query;
  const faults: Fault[] = [];
  const asked = { from: query.from, to: query.to, timeZone };
  const period = await readPeriod(db, asked, '?', faults);
  refuse(faults);
  const selection = { accountId, ...readFilters(query) };
  const [progress] = await findProgress(db);
  const before = compare === 'none' ? [] : [await periodBefore(db, asked, period, compare)];
  const periods: { period: Period; starts: number[] }[] = [];
  for (const each of [period, ...before]) {
    periods.push({ period: each, starts: await partsOf(db, each, interval, timeZone) });
  }
  const [counted, ...outcomes] = await Promise.all([
    reports.count({ ...selection, periods, by: [] }, isGivenUp),
    ...periods.map((each) => countParts(db, { ...selection, period: each.period }, each.starts)),
  ]);
  const [current, previous] = periods.map((each, i) => {
    const total = noOutcomes();
    const parts = each.starts.map(noOutcomes);
    for (const row of outcomes[i] ?? []) {
      addOutcome(total, row);
      const part = parts[row.part];
      if (part) addOutcome(part, row);
    }
    const { total: sessions, line } = counted[i] as Counted;
    return {
      numbers: numbersOf(sessions, total),
      line: each.starts.map((at, part) => ({ at: isoTime(at), ...numbersOf(line[part], parts[part]) })),
    };
  });
  if (!current) throw new Error('a period was not counted');
  return {
    ...isoPeriod(period),
    timeZone,
    interval,
    asOf: isoTime(progress?.noted_at ?? 0),
    current: current.numbers,
    previous: previous && before[0] ? { ...isoPeriod(before[0]), ...previous.numbers } : null,
    change: previous ? changes(current.numbers, previous.numbers) : null,
    line: current.line,
    previousLine: previous?.line ?? null,
  };
}

export function isoPeriod({ from, to }: Period): { from: string; to: string } {
  return { from: isoTime(from), to: isoTime(to) };
}

function changes(now: Numbers, before: Numbers): NonNullable<Overview['change']> {
  const of = (name: Exclude<keyof Numbers, 'revenue'>) => changeOf(now[name], before[name]);
  const currencies = new Set([...now.revenue, ...before.revenue].map(({ currency }) => currency));
  const sum = (list: Money[], currency: string | null) =>
    Number(list.find((each) => each.currency === currency)?.value ?? 0);
  return {
    visits: of('visits'),
    visitors: of('visitors'),
    sessions: of('sessions'),
    leads: of('leads'),
    conversions: of('conversions'),
    conversionRate: of('conversionRate'),
    revenue: [...currencies].map((currency) => ({
      currency,
      change: changeOf(sum(now.revenue, currency), sum(before.revenue, currency)),
    })),
  };
}
