import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { addDecimals, moneyOf } from './numbers.ts';
import { isoPeriod } from './overview.ts';
import type { Attribution, AttributionQuery } from './people-contract.ts';
import { type AttributionRow, attribute, countAttributable, MODELS } from './people-queries.ts';
import { readPeriod } from './periods.ts';
import { readInclude } from './read-query.ts';

/** The conversions of a period, shared out among the sessions that led to them, by every model side by side. */
export async function makeAttribution(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  query: AttributionQuery,
): Promise<Attribution> {
  const { by = 'source', windowDays = 30, include } = query;
  const faults: Fault[] = [];
  const period = await readPeriod(db, { ...query, timeZone: query.timeZone ?? 'UTC' }, '?', faults);
  refuse(faults);
  const { bots, internal } = readInclude(include);
  const selection = [accountId, new Date(period.from), new Date(period.to), bots, internal];
  const [rows = [], [counted]] = await Promise.all([
    attribute[by]?.(db, ...selection, `${windowDays} days`),
    countAttributable(db, ...selection),
  ]);
  const values = [...Map.groupBy(rows, (row) => row.value)].map(([value, parts]) => ({
    value,
    ...(Object.fromEntries(MODELS.map((model) => [model, shareOf(parts, model)])) as Shares),
  }));
  values.sort((a, b) => b.linear.conversions - a.linear.conversions || String(a.value).localeCompare(String(b.value)));
  return {
    ...isoPeriod(period),
    by,
    windowDays,
    conversions: counted?.conversions ?? 0,
    attributed: Math.round(values.reduce((sum, { last }) => sum + last.conversions, 0)),
    rows: values,
  };
}

type Shares = Record<(typeof MODELS)[number], Attribution['rows'][number]['first']>;

/** Rows differ in their currency. */
function shareOf(rows: AttributionRow[], model: string): Shares['first'] {
  const revenue = new Map<string | null, string>();
  let conversions = 0;
  for (const row of rows) {
    conversions += Number(row[model]);
    const amount = row[`${model}Revenue`];
    if (typeof amount === 'string') revenue.set(row.currency, addDecimals(revenue.get(row.currency) ?? '0', amount));
  }
  return { conversions: Math.round(conversions * 1e6) / 1e6, revenue: moneyOf(revenue) };
}
