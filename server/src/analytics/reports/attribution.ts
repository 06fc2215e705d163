import type { Fault } from '../../shared/errors.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { type Credit, type Exchange, MODELS, type Model, toRevenue } from '../engine/index.ts';
import { exchangeOf, type ReportContext } from './context.ts';
import type { Attribution, AttributionQuery } from './contract.ts';
import { parseFilters, parseInclude, parseKnownOn } from './parse-query.ts';
import { parsePeriod, serializePeriod } from './periods.ts';

const MAX_ROWS = 1_000;

/** The conversions of a period, shared among the sessions that led to them by each model. */
export async function getAttribution(context: ReportContext, query: AttributionQuery): Promise<Attribution> {
  const { clock, runner, accountId, settings, abandoned } = context;
  const { by = 'source', windowDays = 30 } = query;
  const now = clock();
  const faults: Fault[] = [];
  const knownOn = parseKnownOn(query.asKnownOn, query.timeZone ?? settings.timeZone, now, faults);
  const period = parsePeriod({ timeZone: settings.timeZone, ...query }, '?', faults);
  const exchange = await exchangeOf(context, [period], knownOn);
  const request = {
    ...{ accountId, period, by, exchange, limit: MAX_ROWS },
    ...(query.asKnownOn !== undefined && { knownOn }),
    window: windowDays * DAY,
    filters: parseFilters(query),
    include: parseInclude(query.include),
  };
  const { rows: credited, ...counts } = await runner.run('attribution', request, abandoned);
  const rows = credited.map(({ value, credits }) => ({
    value,
    ...(Object.fromEntries(MODELS.map((model) => [model, sumShares(credits, model, exchange)])) as Record<
      Model,
      Share
    >),
  }));
  return { ...serializePeriod(period), asKnownOn: isoTime(knownOn), by, windowDays, ...counts, rows };
}

type Share = Attribution['rows'][number][Model];

function sumShares(credits: Credit[], model: Model, exchange: Exchange): Share {
  const conversions = credits.reduce((sum, { shares }) => sum + shares[model].conversions, 0);
  const revenue = new Map<string | null, string>();
  for (const { currency, shares } of credits) {
    const amount = shares[model].revenue;
    if (amount !== null) revenue.set(currency, amount);
  }
  return {
    conversions: Math.round(conversions * 1e6) / 1e6,
    ...toRevenue(revenue, exchange),
  };
}
