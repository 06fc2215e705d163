import type { refuse } from '../../shared/errors.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY, MINUTE } from '../../shared/units.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { Dimension, Filters } from '../dimensions.ts';
import { toMoney } from '../engine/index.ts';
import { type DatedRates, readDatedRates } from '../exchange-rates/dated-rates.ts';
import type { ReportContext } from '../reports/context.ts';
import { parseKnownOn } from '../reports/parse-query.ts';
import { parsePeriod, serializePeriod } from '../reports/periods.ts';
import { UNPAID } from '../return-on-ad-spend/get-roas.ts';
import { type CostsRow, findCosts, type ResultRow, sumIncrements } from '../return-on-ad-spend/queries.ts';
import { AdNames } from './ad-names.ts';
import type { AdPerformance, AdPerformanceNumbers, AdPerformanceQuery } from './contract.ts';

const MAX_ROWS = 1_000;

/** A decimal amount as a whole number of ten-thousandths. */
const UNITS = 10_000;

interface Amount {
  currency: string | null;
  units: number;
  /** Since 1970, at whose rate it converts. */
  day: number;
}

interface Row {
  name: string;
  costs: Amount[];
  clicks: number;
  impressions: number;
  sessions: number;
  leads: number;
  conversions: number;
  revenue: Amount[];
}

/** What ads cost in a period and what came of it, by source or campaign. */
export async function getAdPerformance(context: ReportContext, query: AdPerformanceQuery): Promise<AdPerformance> {
  const { db, clock, accountId, settings } = context;
  const { by = 'source', basis = 'click', source = null, from, to, timeZone = settings.timeZone } = query;
  const faults: Parameters<typeof refuse>[0] = [];
  const knownOn = parseKnownOn(query.asKnownOn, timeZone, clock(), faults);
  const period = parsePeriod({ from, to, timeZone }, '?', faults);
  const knownAt = new Date(knownOn);
  const account = { account_id: accountId, known_at: knownAt };
  const range = { from: new Date(period.from), to: new Date(period.to) };
  const [costs, results, rates, [progress], names] = await Promise.all([
    findCosts(db, { ...account, from, to }),
    sumIncrements[basis][by](db, { ...account, ...range, unpaid: UNPAID, time_zone: timeZone }),
    readDatedRates(db, accountId, [period.from / DAY - 400, period.to / DAY + 400], knownAt, settings),
    findProgress(db),
    AdNames.read(db, accountId, by === 'campaign' ? ['campaign'] : []),
  ]);
  for (const each of costs) each.campaign = names.nameOf(each.source, 'campaign', each.campaign);
  if (by === 'campaign') for (const each of results) each.key = names.nameOf(each.source, 'campaign', each.key);
  const isShown = (name: string) => source === null || name.toLowerCase() === source.toLowerCase();
  const rows = costRows(
    costs.filter((each) => isShown(each.source)),
    by,
  );
  const sources = new Set(costs.flatMap((each) => (isShown(each.source) ? each.source.toLowerCase() : [])));
  addResults(
    rows,
    results.filter((each) => sources.has(each.source.toLowerCase())),
  );
  if (rows.size > 0)
    await addSessions(
      context,
      rows,
      by,
      { sources, names },
      { from: period.from, to: Math.min(period.to, knownOn + 1) },
    );

  const currency = settings.currency;
  const costIn = (row: Row) =>
    row.costs.reduce((sum, each) => sum + (convert(rates, each, currency ?? 'EUR') ?? each.units), 0);
  const sorted = [...rows.values()]
    .map((row) => ({ row, cost: costIn(row) }))
    .sort((a, b) => b.cost - a.cost || (a.row.name < b.row.name ? -1 : 1));
  const shown = sorted.slice(0, MAX_ROWS).map(({ row }) => row);
  return {
    ...serializePeriod(period),
    ...{ by, basis },
    asOf: isoTime(progress?.recorded_at ?? 0),
    asKnownOn: isoTime(knownOn),
    total: numbersOf(shown, rates, currency),
    rows: shown.map((row) => ({ value: row.name || null, ...numbersOf([row], rates, currency) })),
    more: sorted.length > shown.length,
  };
}

/** By the key in lower case: names match in any case. */
function costRows(costs: readonly CostsRow[], by: 'source' | 'campaign'): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { currency, days, units, clicks, impressions, ...names } of costs) {
    const name = names[by];
    const none = { costs: [], clicks: 0, impressions: 0, sessions: 0, leads: 0, conversions: 0, revenue: [] };
    const row = rows.get(name.toLowerCase()) ?? { name, ...none };
    rows.set(name.toLowerCase(), row);
    const [unitsOf, clicksOf, impressionsOf] = [units, clicks, impressions].map((list) => list.split(',').map(Number));
    for (const [i, day] of days.split(',').entries()) {
      row.costs.push({ currency, units: unitsOf?.[i] ?? 0, day: Number(day) });
      row.clicks += clicksOf?.[i] ?? 0;
      row.impressions += impressionsOf?.[i] ?? 0;
    }
  }
  return rows;
}

function addResults(rows: ReadonlyMap<string, Row>, results: readonly ResultRow[]): void {
  for (const { key, currency, sale_day: day, units, conversions, has_value } of results) {
    const row = rows.get((key ?? '').toLowerCase());
    if (!row) continue;
    row.conversions += conversions;
    if (has_value) row.revenue.push({ currency, units, day });
  }
}

async function addSessions(
  { runner, accountId, settings, abandoned }: ReportContext,
  rows: ReadonlyMap<string, Row>,
  by: 'source' | 'campaign',
  { sources, names }: { sources: ReadonlySet<string>; names: AdNames },
  period: { from: number; to: number },
): Promise<void> {
  if (period.from >= period.to) return;
  // Segments count by the minute.
  const whole = { from: period.from, to: Math.ceil(period.to / MINUTE) * MINUTE };
  const isPaid: Filters = { medium: [{ operator: 'isNot', values: UNPAID }] };
  const breakdown = async (dimension: Dimension, filters: Filters) => {
    const request = {
      ...{ accountId, filters, periods: [whole], by: [dimension], limit: MAX_ROWS },
      exchange: { ...settings, rates: [] },
      include: { bots: false, internal: false },
      order: 'sessions' as const,
    };
    const found = await runner.run('breakdown', request, abandoned);
    return found[dimension]?.rows ?? [];
  };
  const ofSources = (await breakdown('source', isPaid)).filter(({ value }) => sources.has(value?.toLowerCase() ?? ''));
  if (ofSources.length === 0) return;
  const values = ofSources.map(({ value }) => value);
  const found =
    by === 'source' ? ofSources : await breakdown('campaign', { ...isPaid, source: [{ operator: 'is', values }] });
  // Sessions of several sources are counted together: a name may stand for a campaign of any of them.
  const rowOf = (value: string) =>
    (by === 'campaign' ? [...sources] : [])
      .map((source) => rows.get(names.nameOf(source, 'campaign', value).toLowerCase()))
      .find((row) => row !== undefined) ?? rows.get(value.toLowerCase());
  for (const { value, sessions, leads } of found) {
    const row = rowOf((value ?? '').trim());
    if (!row) continue;
    row.sessions += sessions;
    row.leads += leads;
  }
}

const convert = (rates: DatedRates, { currency, units, day }: Amount, to: string | null): number | undefined => {
  if (currency === to) return units;
  const found = currency === null || to === null ? undefined : rates.rate(currency, to, day);
  return found && units * found.rate;
};

/** Amounts in one currency; undefined where one has no rate. */
function sumIn(rates: DatedRates, amounts: readonly Amount[], to: string): { units: number; isComplete: boolean } {
  let [units, isComplete] = [0, true];
  for (const amount of amounts) {
    const converted = convert(rates, amount, to);
    if (converted === undefined) isComplete = false;
    else units += converted;
  }
  return { units, isComplete };
}

function numbersOf(rows: readonly Row[], rates: DatedRates, currency: string | null): AdPerformanceNumbers {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const costs = rows.flatMap((row) => row.costs);
  const revenue = rows.flatMap((row) => row.revenue);
  const conversions = sum((row) => row.conversions);
  // What was earned with the cost of one currency: where a row has costs of several, in proportion.
  const byCurrency = [...new Set(costs.map((each) => each.currency))].sort().map((of) => {
    let [cost, earned, converted] = [0, 0, 0];
    for (const row of rows) {
      const own = row.costs.reduce((all, each) => all + (each.currency === of ? each.units : 0), 0);
      if (own === 0) continue;
      const share = of === null ? 1 : own / (sumIn(rates, row.costs, of).units || 1);
      cost += own;
      converted += share * row.conversions;
      earned += share * (of === null ? 0 : sumIn(rates, row.revenue, of).units);
    }
    return { currency: of, cost, conversions: converted, earned };
  });
  const [convertedCost, convertedRevenue] = [currency, currency].map((to, i) =>
    to === null ? undefined : sumIn(rates, i === 0 ? costs : revenue, to),
  );
  return {
    cost: moneyOf(costs),
    clicks: sum((row) => row.clicks),
    impressions: sum((row) => row.impressions),
    sessions: sum((row) => row.sessions),
    leads: sum((row) => row.leads),
    conversions,
    revenue: moneyOf(revenue),
    costPerConversion: byCurrency.flatMap((each) =>
      each.conversions > 0
        ? [{ currency: each.currency, value: (each.cost / UNITS / each.conversions).toFixed(2) }]
        : [],
    ),
    returnOnAdSpend: byCurrency.flatMap(({ currency: of, cost, earned }) =>
      of === null || cost === 0 ? [] : [{ currency: of, value: ratioOf(earned, cost) }],
    ),
    converted:
      currency !== null && convertedCost && convertedRevenue
        ? {
            currency,
            cost: decimal(convertedCost.units),
            revenue: decimal(convertedRevenue.units),
            costPerConversion: conversions > 0 ? (convertedCost.units / UNITS / conversions).toFixed(2) : null,
            returnOnAdSpend: convertedCost.units === 0 ? null : ratioOf(convertedRevenue.units, convertedCost.units),
            isComplete: convertedCost.isComplete && convertedRevenue.isComplete,
          }
        : null,
  };
}

function moneyOf(amounts: readonly Amount[]) {
  const sums = new Map<string | null, number>();
  for (const { currency, units } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + units);
  return toMoney(new Map([...sums].map(([currency, units]) => [currency, decimal(units)])));
}

const ratioOf = (revenue: number, cost: number) => Math.round((revenue / cost) * 10_000) / 10_000;
const decimal = (units: number) => (units / UNITS).toFixed(4).replace(/\.?0+$/, '');
