import type { ReportingSettings } from '../../accounts/index.ts';
import { type Credit, convertRevenue, MODELS, type Model, toMoney } from '../engine/index.ts';
import type { ReportContext } from './context.ts';
import type { Attribution, AttributionQuery } from './contract.ts';
import { parseFilters, parseInclude } from './parse-query.ts';
import { parsePeriod, serializePeriod } from './periods.ts';

const DAY_MS = 86_400_000;
const MAX_ROWS = 1_000;

/** The conversions of a period, shared among the sessions that led to them by each model. */
export async function getAttribution(context: ReportContext, query: AttributionQuery): Promise<Attribution> {
  const { runner, accountId, settings, abandoned } = context;
  const { by = 'source', windowDays = 30 } = query;
  const period = parsePeriod({ timeZone: settings.timeZone, ...query }, '?');
  const request = {
    ...{ accountId, period, by, limit: MAX_ROWS },
    window: windowDays * DAY_MS,
    filters: parseFilters(query),
    include: parseInclude(query.include),
  };
  const { rows: credited, ...counts } = await runner.run('attribution', request, abandoned);
  const rows = credited.map(({ value, credits }) => ({
    value,
    ...(Object.fromEntries(MODELS.map((model) => [model, sumShares(credits, model, settings)])) as Record<
      Model,
      Share
    >),
  }));
  return { ...serializePeriod(period), by, windowDays, ...counts, rows };
}

type Share = Attribution['rows'][number][Model];

function sumShares(credits: Credit[], model: Model, settings: ReportingSettings): Share {
  const conversions = credits.reduce((sum, { shares }) => sum + shares[model].conversions, 0);
  const revenue = new Map<string | null, string>();
  for (const { currency, shares } of credits) {
    const amount = shares[model].revenue;
    if (amount !== null) revenue.set(currency, amount);
  }
  const money = toMoney(revenue);
  return {
    conversions: Math.round(conversions * 1e6) / 1e6,
    revenue: money,
    convertedRevenue: convertRevenue(money, settings),
  };
}
