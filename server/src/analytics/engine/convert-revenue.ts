import type { ConvertedRevenue, Money } from '../contract.ts';
import { type Amount, parseAmount } from './credits.ts';

/** The currency into which revenue is converted, null: it is not; and the value of one unit of others in it, decimal. */
export interface Exchange {
  currency: string | null;
  exchangeRates: Readonly<Record<string, string>>;
}

const DECIMALS = 4;

/** The sum of the amounts that have a rate, exact and rounded once; null without a currency to convert into. */
export function convertRevenue(revenue: readonly Money[], exchange: Exchange): ConvertedRevenue | null {
  const { currency, exchangeRates } = exchange;
  if (currency === null) return null;
  const rateOf = (of: string | null) => (of === currency ? '1' : of === null ? undefined : exchangeRates[of]);
  const amounts: Amount[] = [];
  for (const { currency: of, value } of revenue) {
    const rate = rateOf(of);
    if (rate !== undefined) amounts.push(multiply(parseAmount(value), parseAmount(rate)));
  }
  return { currency, value: sumOf(amounts), isComplete: amounts.length === revenue.length };
}

/** The sum of decimal numbers, exact and rounded once. */
export function sumDecimals(values: readonly string[]): string {
  return sumOf(values.map(parseAmount));
}

const multiply = (a: Amount, b: Amount): Amount => ({
  digits: a.digits * b.digits,
  decimals: a.decimals + b.decimals,
});

/** Rounds half away from zero, without trailing zeros. */
function sumOf(amounts: readonly Amount[]): string {
  const decimals = Math.max(DECIMALS, ...amounts.map((each) => each.decimals));
  const sum = amounts.reduce((all, each) => all + each.digits * 10n ** BigInt(decimals - each.decimals), 0n);
  const unit = 10n ** BigInt(decimals - DECIMALS);
  const size = sum < 0n ? -sum : sum;
  const digits = ((2n * size + unit) / (2n * unit)).toString().padStart(DECIMALS + 1, '0');
  const sign = sum < 0n && /[1-9]/.test(digits) ? '-' : '';
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
}
