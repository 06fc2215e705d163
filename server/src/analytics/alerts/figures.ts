import { DAY } from '../../shared/units.ts';
import { getDiscrepancies } from '../discrepancies/get-discrepancies.ts';
import { readDatedRates } from '../exchange-rates/dated-rates.ts';
import type { ReportContext } from '../reports/context.ts';
import { Converter, toAmount } from '../return-on-ad-spend/amounts.ts';
import { getRoas } from '../return-on-ad-spend/get-roas.ts';
import type { EntriesOfPaths } from '../return-on-ad-spend/keys.ts';
import type { AlertDefinition } from './contract.ts';
import type { Series } from './evaluate.ts';
import { missingShareOf } from './missing-share.ts';
import { findFirstCost, findFirstSale, sumCostsOfDays, sumWindows } from './queries.ts';
import { countEventsOfWindows, countVisitsOfWindows, findFirstSession } from './source-queries.ts';
import { type Windows, windowsOf } from './windows.ts';

/** Reads the figure of a rule in its window, and in those it is compared with. */
export async function readSeries(
  context: ReportContext,
  rule: AlertDefinition,
  entriesOfPaths: EntriesOfPaths,
): Promise<Series & { isRunning: boolean; currency: string | null }> {
  const { timeZone } = context.settings;
  const { kind, figure, minutes, window } = rule;
  const now = context.clock();
  const all = windowsOf(kind === 'silence' ? { minutes: minutes ?? 30 } : window, timeZone, now);
  const windows = kind === 'threshold' ? { ...all, all: all.all.slice(0, 1) } : all;
  const read = {
    revenue: () => salesOf(context, rule, windows),
    conversions: () => salesOf(context, rule, windows),
    sessions: () => (kind === 'silence' ? arrivalsOf(context, rule, windows) : sessionsOf(context, rule, windows)),
    events: () => arrivalsOf(context, rule, windows),
    cost: () => costsOf(context, rule, windows),
    destinationDifference: async () => ({ values: [await differenceOf(context, windows)] }),
    expectedRevenue: async () => {
      const { total } = await roasOf(context, windows, entriesOfPaths);
      return { values: [Number(total.expectedRevenue ?? 0)], currency: total.currency };
    },
    costWithoutClicks: async () => {
      const { rows, total } = await roasOf(context, windows, entriesOfPaths);
      const cost = rows.reduce((sum, row) => sum + (row.sessions === 0 ? Number(row.cost) : 0), 0);
      return { values: [cost], currency: total.currency };
    },
  }[figure];
  const { values, currency = null }: Figures = await read();
  const [current = 0, ...earlier] = values.map((value) => value && Math.round(value * 1e4) / 1e4);
  const start = windows.all[0]?.from ?? now;
  const isEarly = kind === 'threshold' && (rule.direction === 'below' || figure === 'costWithoutClicks');
  const isTooYoung = isEarly && !(await hadDataAt(context, rule, start));
  return {
    current: current ?? 0,
    earlier,
    perWeek: windows.perWeek,
    isRunning: windows.isRunning,
    isTooYoung,
    currency,
  };
}

/** Whether the account had what the figure counts at a time: what was not counted yet is not little. */
async function hadDataAt(
  { db, accountId: account_id, settings }: ReportContext,
  { figure }: AlertDefinition,
  at: number,
) {
  if (figure === 'cost') {
    const [first] = await findFirstCost(db, { account_id });
    return first !== undefined && first.day <= dayOf(at, settings.timeZone);
  }
  const found = await Promise.all([findFirstSession(db, { account_id }), findFirstSale(db, { account_id })]);
  return found.flat().some((first) => first.at.getTime() <= at);
}

type Values = (number | null)[];
/** With the currency of amounts; null: there is none. */
interface Figures {
  values: Values;
  currency?: string | null;
}

/** Before the account had data, nothing is known: null. */
const since = (windows: Windows, first: number | undefined, countOf: (number: number) => number): Values =>
  windows.all.map(({ from }, number) =>
    number === 0 || (first !== undefined && from >= first) ? countOf(number) : null,
  );

/** Revenue or conversions by the time of the sale; with `expected` as it was known at the age that the current window has now. */
async function salesOf(
  { db, accountId, settings, clock }: ReportContext,
  rule: AlertDefinition,
  windows: Windows,
): Promise<Figures> {
  const now = clock();
  const isAged = rule.kind === 'expected';
  const asked = windows.all.map(({ from, to, knownAt }, number) => ({
    ...{ number, since: from, until: to },
    known_at: isAged ? knownAt : now,
  }));
  const { timeZone: time_zone } = settings;
  const query = { account_id: accountId, windows: asked, source: rule.source, time_zone };
  const days = [Math.floor((windows.all.at(-1)?.from ?? now) / DAY) - 1, Math.ceil(now / DAY) + 1] as const;
  const [found, [first], rates] = await Promise.all([
    sumWindows(db, query),
    findFirstSale(db, { account_id: accountId }),
    readDatedRates(db, accountId, days, new Date(now), settings),
  ]);
  const converter = new Converter(rates, settings.currency ?? found[0]?.currency ?? null);
  const sums = new Map<number, number>();
  for (const { number, currency, sale_day, units, conversions } of found) {
    const amount = rule.figure === 'conversions' ? conversions : converter.convert(Number(units), currency, sale_day);
    if (amount !== undefined) sums.set(number, (sums.get(number) ?? 0) + amount);
  }
  const scale = rule.figure === 'conversions' ? (value: number) => value : toAmount;
  const values = since(windows, first?.at.getTime(), (number) => scale(sums.get(number) ?? 0));
  return { values, currency: converter.currency };
}

/** Sessions that started, by the columnar engine. */
async function sessionsOf(
  { db, runner, accountId, abandoned }: ReportContext,
  rule: AlertDefinition,
  windows: Windows,
) {
  const inOrder = [...windows.all].reverse();
  const [oldest, latest] = [inOrder[0], inOrder.at(-1)];
  if (!oldest || !latest) return { values: [] };
  const bounds = [...new Set(inOrder.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const request = {
    accountId,
    filters: rule.source === null ? {} : { source: [{ operator: 'is' as const, values: [rule.source] }] },
    include: { bots: false, internal: false },
    plans: [{ period: { from: oldest.from, to: latest.to }, starts: bounds.filter((bound) => bound < latest.to) }],
  };
  const [[counted], [first]] = await Promise.all([
    oldest.from < latest.to ? runner.run('count', request, abandoned) : [],
    findFirstSession(db, { account_id: accountId }),
  ]);
  const countOf = new Map(bounds.map((bound, i) => [bound, counted?.intervals[i]?.sessions ?? 0]));
  // Windows follow each other or are apart, so that each is the sum of the intervals within it.
  const values = since(windows, first?.at.getTime(), (number) => {
    const { from, to } = windows.all[number] ?? { from: 0, to: 0 };
    return bounds.reduce((sum, bound) => (bound >= from && bound < to ? sum + (countOf.get(bound) ?? 0) : sum), 0);
  });
  return { values };
}

/** Visits or events by their arrival, which their ids are ordered by. */
async function arrivalsOf({ db, accountId: account_id }: ReportContext, rule: AlertDefinition, windows: Windows) {
  const asked = windows.all.map(({ from, to }, number) => ({
    number,
    first_id: firstIdAt(from),
    end_id: firstIdAt(to),
  }));
  const [found, [first]] = await Promise.all([
    rule.figure === 'events'
      ? countEventsOfWindows(db, { account_id, windows: asked, event: rule.event })
      : countVisitsOfWindows(db, { account_id, windows: asked }),
    findFirstSession(db, { account_id }),
  ]);
  const counts = new Map(found.map(({ number, count }) => [number, count]));
  return { values: since(windows, first?.at.getTime(), (number) => counts.get(number) ?? 0) };
}

/** The smallest id of a time. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const dateOf = (ms: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
/** Since 1970. */
const dayOf = (ms: number, timeZone: string) => Date.parse(`${dateOf(ms, timeZone)}T00:00:00Z`) / DAY;

/** Costs by whole days. */
async function costsOf(
  { db, accountId, settings, clock }: ReportContext,
  rule: AlertDefinition,
  windows: Windows,
): Promise<Figures> {
  const { timeZone } = settings;
  const [latest, oldest] = [windows.all[0], windows.all.at(-1)];
  if (!latest || !oldest) return { values: [] };
  const range = { from: dateOf(oldest.from, timeZone), to: dateOf(latest.to + DAY - 1, timeZone) };
  const days = [dayOf(oldest.from, timeZone) - 1, dayOf(latest.to, timeZone) + 2] as const;
  const [found, [first], rates] = await Promise.all([
    sumCostsOfDays(db, { account_id: accountId, ...range, source: rule.source }),
    findFirstCost(db, { account_id: accountId }),
    readDatedRates(db, accountId, days, new Date(clock()), settings),
  ]);
  const converter = new Converter(rates, settings.currency ?? found[0]?.currency ?? null);
  const values = windows.all.map(({ from, to }, number) => {
    const [start, end] = [dayOf(from, timeZone), dayOf(to - 1, timeZone)];
    if (number > 0 && (first === undefined || start < first.day)) return null;
    return found
      .filter(({ day }) => day >= start && day <= end)
      .reduce((sum, { cost, currency, day }) => sum + (converter.convert(cost, currency, day) ?? 0), 0);
  });
  return { values, currency: converter.currency };
}

/** How many percent of what it was meant to be told are missing at the worst destination. */
async function differenceOf(context: ReportContext, windows: Windows): Promise<number> {
  const { rows } = await getDiscrepancies(context, periodOf(context, windows), undefined);
  return Math.max(0, ...rows.map((row) => 100 * missingShareOf(row)));
}

const roasOf = (context: ReportContext, windows: Windows, entriesOfPaths: EntriesOfPaths) =>
  getRoas(context, { ...periodOf(context, windows), by: 'campaign' }, entriesOfPaths);

/** The whole days of the current window. */
function periodOf({ settings: { timeZone } }: ReportContext, { all: [current] }: Windows) {
  const zoned = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const { from, to } = current ?? { from: 0, to: 1 };
  return {
    from: zoned(from).toPlainDate().toString(),
    to: zoned(to - 1)
      .toPlainDate()
      .add({ days: 1 })
      .toString(),
  };
}
