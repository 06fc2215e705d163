import type { PutAdCostsRequest } from '@headwater/sdk';
import { decimalOf } from '../conversions/columns.ts';
import { type DateOrder, readDay } from '../conversions/conversion-times.ts';
import { t } from '../languages/translate.ts';

type Cost = PutAdCostsRequest['costs'][number];

export const COLUMNS = {
  date: t('Day'),
  source: t('Source'),
  campaign: t('Campaign'),
  cost: t('Cost'),
  currency: t('Currency'),
  clicks: t('Clicks'),
  impressions: t('Impressions'),
} as const;

export type ColumnName = keyof typeof COLUMNS;

/** Headings in the reports of ad platforms. */
const ALIASES: Record<ColumnName, string[]> = {
  date: ['date', 'day', 'reportingstarts', 'timeperiod', 'bydate'],
  source: ['source', 'utmsource', 'platform', 'network'],
  campaign: ['campaign', 'campaignname', 'utmcampaign'],
  cost: ['cost', 'spend', 'amountspent', 'adspend', 'spent', 'amount', 'totalspend', 'totalcost'],
  currency: ['currency', 'currencycode'],
  clicks: ['clicks', 'linkclicks', 'clicksall'],
  impressions: ['impressions', 'impr', 'views'],
};

/** `Amount spent (EUR)` is the column `cost`, and says the currency. */
export function guessColumns(headings: readonly string[]): { columns: (ColumnName | null)[]; currency: string | null } {
  const taken = new Set<ColumnName>();
  let currency: string | null = null;
  const columns = headings.map((heading) => {
    const name = heading
      .replace(/\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    const found = (Object.keys(ALIASES) as ColumnName[]).find((each) => ALIASES[each].includes(name));
    if (found === undefined || taken.has(found)) return null;
    taken.add(found);
    if (found === 'cost') currency = /\(([A-Z]{3})\)/.exec(heading)?.[1] ?? null;
    return found;
  });
  return { columns, currency };
}

/** What rows without such a column or cell have. */
export interface Defaults {
  source: string;
  currency: string;
}

/** The cost of a row, or what is wrong with it: the column, and the value of its cell. */
export function readCost(
  row: readonly string[],
  columns: readonly (ColumnName | null)[],
  order: DateOrder | null,
  defaults: Defaults,
): { cost: Cost } | { error: { column: ColumnName; cell: string } } {
  const cell = (name: ColumnName) => row[columns.indexOf(name)]?.trim() ?? '';
  const faulty = (column: ColumnName) => ({ error: { column, cell: cell(column) } });
  const date = readDay(cell('date'), order);
  if (date === undefined) return faulty('date');
  const amount = decimalOf(cell('cost'));
  if (!/^\d+(\.\d+)?$/.test(amount)) return faulty('cost');
  const source = cell('source') || defaults.source;
  if (source === '') return faulty('source');
  const currency = cell('currency') || defaults.currency;
  if (!/^[A-Za-z]{3}$/.test(currency)) return faulty('currency');
  const counts: { clicks?: number; impressions?: number } = {};
  for (const name of ['clicks', 'impressions'] as const) {
    if (cell(name) === '') continue;
    const count = Number(decimalOf(cell(name)));
    if (!Number.isSafeInteger(count) || count < 0) return faulty(name);
    counts[name] = count;
  }
  return {
    cost: {
      ...{ date, source, campaign: cell('campaign') || null, cost: amount, currency: currency.toUpperCase() },
      ...counts,
    },
  };
}

const MICROS = 1_000_000;

/** Adds up rows of the same day, source, campaign and currency, such as those of the ad groups of a campaign. */
export function sumCosts(costs: readonly Cost[]): Cost[] {
  const sums = new Map<string, { cost: Cost; micros: number }>();
  for (const cost of costs) {
    const key = JSON.stringify([cost.date, cost.source, cost.campaign, cost.currency]);
    const micros = Math.round(Number(cost.cost) * MICROS);
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { cost: { ...cost }, micros });
      continue;
    }
    sum.micros += micros;
    for (const name of ['clicks', 'impressions'] as const) {
      const count = cost[name];
      if (count != null) sum.cost[name] = (sum.cost[name] ?? 0) + count;
    }
  }
  return [...sums.values()].map(({ cost, micros }) => ({ ...cost, cost: micros / MICROS }));
}
