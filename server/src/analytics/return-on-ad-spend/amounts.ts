import type { DatedRates, Rate, RateOrigin } from '../exchange-rates/dated-rates.ts';
import type { Expectation } from './cohorts.ts';
import type { RoasNumbers } from './contract.ts';

/** Amounts are added as whole numbers of this part, so that sums are exact. */
const UNITS = 10_000;

const ORIGINS: readonly RateOrigin[] = ['dated', 'account', 'embedded'];

const SAME: Rate = { rate: 1, origin: 'dated' };

/** The rates of days into one currency. */
export class Converter {
  readonly #rates: DatedRates;
  readonly currency: string | null;

  constructor(rates: DatedRates, currency: string | null) {
    this.#rates = rates;
    this.currency = currency;
  }

  /** Undefined if there is none. */
  rate(currency: string | null, day: number): Rate | undefined {
    if (currency === this.currency) return SAME;
    return currency === null || this.currency === null ? undefined : this.#rates.rate(currency, this.currency, day);
  }

  convert(units: number, currency: string | null, day: number): number | undefined {
    const rate = this.rate(currency, day);
    return rate && units * rate.rate;
  }
}

/** Notes how certain a rate is that a sum contains, or that it is missing. */
export function noteRate(into: Totals, rate: Rate | undefined): void {
  if (rate === undefined) into.isComplete = false;
  else if (rate.origin !== 'dated') into.origin = Math.max(into.origin, ORIGINS.indexOf(rate.origin));
}

/** The sums of a row. Money is in units. */
export interface Totals {
  sessions: number;
  clicks: number;
  impressions: number;
  cost: number;
  conversions: number;
  revenue: number;
  refunded: number;
  isComplete: boolean;
  /** The position of the least certain origin of a rate. */
  origin: number;
}

export const noTotals = (): Totals => ({
  ...{ sessions: 0, clicks: 0, impressions: 0, cost: 0, conversions: 0, revenue: 0, refunded: 0 },
  ...{ isComplete: true, origin: 0 },
});

/**
 * Makes the shares of clicks and impressions whole numbers that add up to their sum: the largest fractions are rounded up, and of those that
 * differ by the order of their parts alone the first ones.
 */
export function roundCounts(rows: readonly Totals[]): void {
  for (const name of ['clicks', 'impressions'] as const) {
    // Shares are floating-point numbers.
    const whole = (totals: Totals) => Math.floor(totals[name] + 1e-6);
    let missing = Math.round(rows.reduce((sum, totals) => sum + totals[name] - whole(totals), 0));
    const fraction = (totals: Totals) => Math.round((totals[name] - whole(totals)) * 1e6);
    for (const totals of rows.toSorted((a, b) => fraction(b) - fraction(a))) {
      totals[name] = whole(totals) + (missing-- > 0 ? 1 : 0);
    }
  }
}

export const toAmount = (units: number) => units / UNITS;

/** @param expectation in the currency, not in units; undefined: too young */
export function serializeTotals(
  totals: Totals,
  currency: string | null,
  expectation: Expectation | undefined,
): RoasNumbers {
  const [cost, revenue] = [toAmount(totals.cost), toAmount(totals.revenue)];
  const ratio = (amount: number | undefined) => (amount === undefined || cost === 0 ? null : round(amount / cost));
  const { expected, low, high } = expectation ?? {};
  return {
    currency,
    sessions: totals.sessions,
    clicks: Math.round(totals.clicks),
    impressions: Math.round(totals.impressions),
    cost: decimal(cost),
    // Parts of conversions are floating-point numbers.
    conversions: Math.round(totals.conversions * 1e6) / 1e6,
    revenue: decimal(revenue),
    refunded: decimal(toAmount(totals.refunded)),
    maturity: expected === undefined || expected <= 0 ? null : round(revenue / expected),
    expectedRevenue: expected === undefined ? null : expected.toFixed(2),
    expectedLow: low === undefined ? null : low.toFixed(2),
    expectedHigh: high === undefined ? null : high.toFixed(2),
    costPerConversion: totals.conversions > 0 ? (cost / totals.conversions).toFixed(2) : null,
    roas: ratio(revenue),
    expectedRoas: ratio(expected),
    roasLow: ratio(low),
    roasHigh: ratio(high),
    isComplete: totals.isComplete,
    rates: ORIGINS[totals.origin] ?? 'dated',
  };
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** Without trailing zeros. */
const decimal = (value: number) => {
  const text = value.toFixed(4).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};
