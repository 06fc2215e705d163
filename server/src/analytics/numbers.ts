import type { Money, Numbers } from './contract.ts';
import type { SessionCounts } from './count-sessions.ts';
import type { PartRow, ValueRow } from './report-queries.ts';

/** What conversions and leads come to. */
export interface Outcomes {
  leads: number;
  conversions: number;
  /** By currency, decimal. */
  revenue: Map<string | null, string>;
}

export function noOutcomes(): Outcomes {
  return { leads: 0, conversions: 0, revenue: new Map() };
}

/** Adds what the database counted. */
export function addOutcome(to: Outcomes, row: PartRow | ValueRow): void {
  if (row.is_lead) {
    to.leads += row.count;
    return;
  }
  to.conversions += row.count;
  if (row.revenue === null) return;
  const before = to.revenue.get(row.currency);
  to.revenue.set(row.currency, before === undefined ? row.revenue : addDecimals(before, row.revenue));
}

export function numbersOf(sessions: SessionCounts | undefined, outcomes: Outcomes | undefined): Numbers {
  const { visits = 0, visitors = 0, sessions: began = 0 } = sessions ?? {};
  const { leads, conversions, revenue } = outcomes ?? noOutcomes();
  return {
    visits,
    visitors,
    sessions: began,
    leads,
    conversions,
    conversionRate: began === 0 ? null : conversions / began,
    revenue: moneyOf(revenue),
  };
}

/** In the order of currencies, what has none last. Without zeros that say nothing. */
export function moneyOf(revenue: ReadonlyMap<string | null, string>): Money[] {
  return [...revenue]
    .map(([currency, value]) => ({ currency, value: plain(value) }))
    .sort((a, b) => (a.currency ?? '~').localeCompare(b.currency ?? '~'));
}

function plain(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** The sum of two decimal numbers, digit for digit. */
export function addDecimals(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other));
  const sum = (scaled(one, places) + scaled(other, places)).toString();
  if (places === 0) return sum;
  const digits = sum.replace('-', '').padStart(places + 1, '0');
  return `${sum.startsWith('-') ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function placesOf(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

function scaled(decimal: string, places: number): bigint {
  return BigInt(decimal.replace('.', '') + '0'.repeat(places - placesOf(decimal)));
}

/** 0.25: a quarter more than before. */
export function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : now / before - 1;
}
