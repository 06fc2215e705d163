import type { ReportingSettings } from '../../accounts/index.ts';
import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { BreakdownRow, Money } from '../contract.ts';
import type { Condition, Dimension, Filters } from '../dimensions.ts';
import { convertRevenue, sumDecimals, toMoney } from '../engine/index.ts';
import type { ReportContext } from '../reports/context.ts';
import { parsePeriod, serializePeriod } from '../reports/periods.ts';
import type { AdPerformance, AdPerformanceNumbers, AdPerformanceQuery } from './contract.ts';
import { type CostByValueRow, findCostSources, sumCostsByCampaign, sumCostsBySource } from './queries.ts';

const MAX_ROWS = 1_000;

type Results = Pick<BreakdownRow, 'sessions' | 'leads' | 'conversions' | 'revenue'>;

const NO_RESULTS: Results = { sessions: 0, leads: 0, conversions: 0, revenue: [] };

/** Media of sessions that no ad led to. Others count, because ads do not always say theirs. */
const UNPAID: readonly (string | null)[] = ['organic', 'referral', 'email'];

const oneOf = (values: (string | null)[]): Condition[] => [{ operator: 'is', values }];

/** What ads cost in a period and what came of it, by source or campaign. */
export async function getAdPerformance(context: ReportContext, query: AdPerformanceQuery): Promise<AdPerformance> {
  const { db, runner, accountId, settings, abandoned } = context;
  const { by = 'source', source = null, from, to } = query;
  const period = parsePeriod({ timeZone: settings.timeZone, ...query }, '?');
  const filter = { account_id: accountId, from, to, source };
  const [costs, sources, [progress]] = await Promise.all([
    (by === 'source' ? sumCostsBySource : sumCostsByCampaign)(db, filter),
    findCostSources(db, filter),
    findProgress(db),
  ]);
  const byValue = [...Map.groupBy(costs, ({ value }) => value)].sort(
    ([a, costsOfA], [b, costsOfB]) => totalOf(costsOfB) - totalOf(costsOfA) || (a < b ? -1 : 1),
  );
  const shown = byValue.slice(0, MAX_ROWS);
  const breakdown = async (dimension: Dimension, filters: Filters) => {
    const request = {
      ...{ accountId, filters, periods: [period], by: [dimension], limit: MAX_ROWS, exchange: settings },
      include: { bots: false, internal: false },
      order: 'sessions' as const,
    };
    const breakdowns = await runner.run('breakdown', request, abandoned);
    return breakdowns[dimension]?.rows ?? [];
  };
  const results = new Map<string | null, Results>();
  if (shown.length > 0) {
    const filters: Filters = { source: oneOf(sources.map((each) => each.source)) };
    if (by === 'campaign') filters.campaign = oneOf(shown.map(([value]) => value || null));
    const media = (await breakdown('medium', filters)).map(({ value }) => value);
    const paid = media.filter((medium) => !UNPAID.includes(medium));
    filters.medium = oneOf(paid);
    if (paid.length > 0) for (const row of await breakdown(by, filters)) results.set(row.value, row);
  }
  const rows = shown.map(([name, costsOfValue]) => {
    const value = name || null;
    return { value, ...numbersOf(costsOfValue, results.get(value) ?? NO_RESULTS, settings) };
  });
  return {
    ...serializePeriod(period),
    by,
    asOf: isoTime(progress?.recorded_at ?? 0),
    total: numbersOf(
      shown.flatMap(([, costsOfValue]) => costsOfValue),
      sumResults([...results.values()]),
      settings,
    ),
    rows,
    more: byValue.length > shown.length,
  };
}

const totalOf = (costs: readonly CostByValueRow[]) => costs.reduce((sum, { cost }) => sum + Number(cost), 0);

function numbersOf(
  costs: readonly CostByValueRow[],
  results: Results,
  settings: ReportingSettings,
): AdPerformanceNumbers {
  const { conversions, revenue } = results;
  const cost = sumMoney(costs.map((each) => ({ currency: each.currency, value: each.cost })));
  const revenueIn = (currency: string | null) => revenue.find((each) => each.currency === currency)?.value ?? '0';
  const [convertedCost, convertedRevenue] = [convertRevenue(cost, settings), convertRevenue(revenue, settings)];
  return {
    cost,
    clicks: costs.reduce((sum, { clicks }) => sum + clicks, 0),
    impressions: costs.reduce((sum, { impressions }) => sum + impressions, 0),
    ...{ sessions: results.sessions, leads: results.leads, conversions, revenue },
    costPerConversion: cost.flatMap(({ currency, value }) => {
      const perConversion = divideCost(value, conversions);
      return perConversion === null ? [] : [{ currency, value: perConversion }];
    }),
    returnOnAdSpend: cost.flatMap(({ currency, value }) => {
      const ratio = ratioOf(revenueIn(currency), value);
      return currency === null || ratio === null ? [] : [{ currency, value: ratio }];
    }),
    converted:
      convertedCost && convertedRevenue
        ? {
            currency: convertedCost.currency,
            cost: convertedCost.value,
            revenue: convertedRevenue.value,
            costPerConversion: divideCost(convertedCost.value, conversions),
            returnOnAdSpend: ratioOf(convertedRevenue.value, convertedCost.value),
            isComplete: convertedCost.isComplete && convertedRevenue.isComplete,
          }
        : null,
  };
}

const divideCost = (cost: string, conversions: number) =>
  conversions === 0 ? null : (Number(cost) / conversions).toFixed(2);

const ratioOf = (revenue: string, cost: string) =>
  Number(cost) === 0 ? null : Math.round((Number(revenue) / Number(cost)) * 10_000) / 10_000;

function sumResults(results: readonly Results[]): Results {
  const sum = (name: 'sessions' | 'leads' | 'conversions') => results.reduce((total, each) => total + each[name], 0);
  return {
    sessions: sum('sessions'),
    leads: sum('leads'),
    conversions: sum('conversions'),
    revenue: sumMoney(results.flatMap(({ revenue }) => revenue)),
  };
}

function sumMoney(amounts: readonly Money[]): Money[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return toMoney(
    new Map([...byCurrency].map(([currency, each]) => [currency, sumDecimals(each.map(({ value }) => value))])),
  );
}
