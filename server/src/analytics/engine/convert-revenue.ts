import type { ReportingSettings } from '../../accounts/index.ts';
import { DAY } from '../../shared/units.ts';
import type { ConvertedRevenue, Money } from '../contract.ts';
import { DatedRates, type RateOrigin, type RateRow } from '../exchange-rates/dated-rates.ts';
import { type Amount, parseAmount } from './credits.ts';

const DECIMALS = 4;

/** Into which currency revenue is converted, and by which rates. */
export interface Exchange extends ReportingSettings {
  /** Of the days of the sales. */
  rates: readonly RateRow[];
}

/** Revenue by currency, and its sum at the rates of the days of its sales. */
export interface Revenue {
  revenue: Money[];
  convertedRevenue: ConvertedRevenue | null;
}

const rateTables = new WeakMap<Exchange, DatedRates>();

/** One table for all rows of a report. */
function ratesOf(exchange: Exchange): DatedRates {
  const rates = rateTables.get(exchange) ?? new DatedRates(exchange.rates, exchange);
  rateTables.set(exchange, rates);
  return rates;
}

/**
 * The sums by currency, and the exact sum of what has a rate, rounded once; null without a currency to convert into.
 * @param amounts decimal numbers by currency, after which the day of the sale may follow
 */
export function toRevenue(amounts: ReadonlyMap<string | null, string>, exchange: Exchange): Revenue {
  const sums = new Map<string | null, string[]>();
  const converted: Amount[] = [];
  let [isComplete, isEmbedded] = [true, false];
  for (const [soldIn, value] of amounts) {
    const [currency = null, day] = soldIn?.split(' ') ?? [];
    const sum = sums.get(currency);
    if (sum) sum.push(value);
    else sums.set(currency, [value]);
    const rate = exchange.currency === null ? undefined : rateOn(currency, exchange.currency, day, exchange);
    if (rate === undefined) isComplete = false;
    else converted.push(multiply(parseAmount(value), parseAmount(rate.value)));
    isEmbedded ||= rate?.origin === 'embedded';
  }
  return {
    revenue: toMoney(
      new Map(
        [...sums].map(([currency, values]) => [
          currency,
          values.length === 1 ? (values[0] ?? '0') : sumDecimals(values),
        ]),
      ),
    ),
    convertedRevenue: convertedInto(exchange, sumOf(converted), isComplete, isEmbedded),
  };
}

const convertedInto = ({ currency }: Exchange, value: string, isComplete: boolean, isEmbedded: boolean) =>
  currency === null ? null : { currency, value, isComplete, ...(isEmbedded && { rates: 'embedded' as const }) };

/** Its value is decimal; undefined if nobody knows it. */
function rateOn(
  currency: string | null,
  into: string,
  day: string | undefined,
  exchange: Exchange,
): { value: string; origin: RateOrigin } | undefined {
  if (currency === into) return { value: '1', origin: 'dated' };
  if (currency === null || day === undefined) return undefined;
  const found = ratesOf(exchange).rate(currency, into, Date.parse(day) / DAY);
  // The fixed rates of accounts are decimal: what they convert is exact.
  const fixed = found?.origin === 'account' ? exchange.exchangeRates[currency] : undefined;
  return found && { value: fixed ?? found.rate.toFixed(12), origin: found.origin };
}

/** The sum of decimal numbers, exact and rounded once. */
function sumDecimals(values: readonly string[]): string {
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

/** Ordered by currency, amounts without a currency last; without trailing zeros. */
export function toMoney(revenue: ReadonlyMap<string | null, string>): Money[] {
  return [...revenue]
    .map(([currency, value]) => ({ currency, value: value.includes('.') ? value.replace(/\.?0+$/, '') : value }))
    .sort((a, b) => (a.currency === null ? 1 : b.currency === null ? -1 : a.currency < b.currency ? -1 : 1));
}
