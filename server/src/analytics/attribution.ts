import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import type { Credit } from './credits.ts';
import { MODELS, type Model } from './models.ts';
import { moneyOf } from './numbers.ts';
import { isoPeriod } from './overview.ts';
import type { Attribution, AttributionQuery } from './people-contract.ts';
import { readPeriod } from './periods.ts';
import { readInclude } from './read-query.ts';
import type { IsGivenUp, ReportsThread } from './run-reports.ts';

const DAY_MS = 86_400_000;

/** The conversions of a period, shared out among the sessions that led to them, by every model side by side. */
export async function makeAttribution(
  { db }: Pick<Deps, 'db'>,
  reports: ReportsThread,
  accountId: string,
  query: AttributionQuery,
  isGivenUp: IsGivenUp,
): Promise<Attribution> {
  const { by = 'source', windowDays = 30 } = query;
  const faults: Fault[] = [];
  const period = await readPeriod(db, { ...query, timeZone: query.timeZone ?? 'UTC' }, '?', faults);
  refuse(faults);
  const include = readInclude(query.include);
  const made = await reports.attribute({ accountId, period, window: windowDays * DAY_MS, by, include }, isGivenUp);
  const rows = made.rows.map(({ value, credits }) => ({
    value,
    ...(Object.fromEntries(MODELS.map((model) => [model, shareOf(credits, model)])) as Shares),
  }));
  rows.sort((a, b) => b.linear.conversions - a.linear.conversions || String(a.value).localeCompare(String(b.value)));
  return { ...isoPeriod(period), by, windowDays, conversions: made.conversions, attributed: made.attributed, rows };
}

type Shares = Record<Model, Attribution['rows'][number]['first']>;

function shareOf(credits: Credit[], model: Model): Shares[Model] {
  const conversions = credits.reduce((sum, { shares }) => sum + shares[model].conversions, 0);
  const revenue = credits.flatMap(({ currency, shares }) => {
    const amount = shares[model].revenue;
    return amount === null ? [] : [[currency, amount] as const];
  });
  return { conversions: Math.round(conversions * 1e6) / 1e6, revenue: moneyOf(new Map(revenue)) };
}
