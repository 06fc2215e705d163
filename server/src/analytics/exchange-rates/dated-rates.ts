import type { ReportingSettings } from '../../accounts/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import { EMBEDDED_RATES } from './embedded-rates.ts';
import { findExchangeRates } from './queries.ts';

/** Where a rate is from: imported for the day, the fixed table of the account, or the averages of years. */
export type RateOrigin = 'dated' | 'account' | 'embedded';

export interface Rate {
  rate: number;
  origin: RateOrigin;
}

/** Reference rates are published on working days: the latest one of these days counts. */
const MAX_AGE_DAYS = 10;

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

export interface RateRow {
  base: string;
  currency: string;
  day: string;
  rate: number;
}

/** The rates of a period, as they were known at a time. Days are numbers since 1970. */
export class DatedRates {
  /** By base and currency, in order of day. */
  readonly #rates = new Map<string, { days: number[]; rates: number[] }>();
  readonly #bases = new Set<string>();
  /** By currencies, then by day. */
  readonly #found = new Map<string, Map<number, Rate | undefined>>();
  readonly #settings: Pick<ReportingSettings, 'currency' | 'exchangeRates'>;

  constructor(rows: readonly RateRow[], settings: Pick<ReportingSettings, 'currency' | 'exchangeRates'>) {
    this.#settings = settings;
    for (const { base, currency, day, rate } of rows) {
      this.#bases.add(base);
      const key = `${base} ${currency}`;
      const series = this.#rates.get(key) ?? { days: [], rates: [] };
      this.#rates.set(key, series);
      series.days.push(dayOf(day));
      series.rates.push(rate);
    }
  }

  /** What one unit of a currency was worth in another on a day; undefined if nobody knows. */
  rate(from: string, to: string, day: number): Rate | undefined {
    if (from === to) return { rate: 1, origin: 'dated' };
    const key = `${from} ${to}`;
    const found = this.#found.get(key) ?? new Map<number, Rate | undefined>();
    this.#found.set(key, found);
    if (!found.has(day)) found.set(day, this.#find(from, to, day));
    return found.get(day);
  }

  #find(from: string, to: string, day: number): Rate | undefined {
    for (const base of [from, to, ...this.#bases]) {
      const [ofFrom, ofTo] = [this.#unitsOf(base, from, day), this.#unitsOf(base, to, day)];
      if (ofFrom !== undefined && ofTo !== undefined) return { rate: ofTo / ofFrom, origin: 'dated' };
    }
    const { currency, exchangeRates } = this.#settings;
    const fixed = to === currency ? exchangeRates[from] : undefined;
    if (fixed !== undefined) return { rate: Number(fixed), origin: 'account' };
    const [ofFrom, ofTo] = [embeddedOf(from, day), embeddedOf(to, day)];
    return ofFrom === undefined || ofTo === undefined ? undefined : { rate: ofTo / ofFrom, origin: 'embedded' };
  }

  /** Units of a currency for one unit of the base. */
  #unitsOf(base: string, currency: string, day: number): number | undefined {
    if (base === currency) return 1;
    const series = this.#rates.get(`${base} ${currency}`);
    if (!series) return undefined;
    let [low, high] = [0, series.days.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((series.days[middle] ?? 0) <= day) low = middle + 1;
      else high = middle;
    }
    return day - (series.days[low - 1] ?? Number.NEGATIVE_INFINITY) <= MAX_AGE_DAYS ? series.rates[low - 1] : undefined;
  }
}

function embeddedOf(currency: string, day: number): number | undefined {
  if (currency === 'EUR') return 1;
  const years = EMBEDDED_RATES[currency];
  if (!years) return undefined;
  const known = Object.keys(years).map(Number);
  const year = Number(dateOf(day).slice(0, 4));
  return years[Math.min(Math.max(year, Math.min(...known)), Math.max(...known))];
}

/** @param from the first day, and the day after the last */
export async function readDatedRates(
  tx: Tx,
  accountId: string,
  period: readonly [from: number, to: number],
  knownAt: Date,
  settings: ReportingSettings,
): Promise<DatedRates> {
  return new DatedRates(await readRateRows(tx, accountId, period, knownAt), settings);
}

/** @param from the first day, and the day after the last */
export function readRateRows(
  tx: Tx,
  accountId: string,
  [from, to]: readonly [from: number, to: number],
  knownAt: Date,
): Promise<RateRow[]> {
  const period = { from: dateOf(from - MAX_AGE_DAYS), to: dateOf(to) };
  return findExchangeRates(tx, { account_id: accountId, ...period, known_at: knownAt });
}
