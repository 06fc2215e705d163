import type { ReportingSettings } from '../../accounts/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import { readDatedRates } from '../exchange-rates/dated-rates.ts';
import { Converter, toAmount } from './amounts.ts';
import { addIncrement, developmentsOf, isTooYoung, type Now, type Revenue } from './cohorts.ts';
import { sumSaleIncrements } from './queries.ts';

/** The full age of a sale in days, and the days of sales that factors are estimated from. */
const FULL_AGE = 60;
const HISTORY = 180;

/** What the value of a sale grows or shrinks by from an age in days until full age; undefined: too young to tell. */
export type ValueFactor = (source: string | null, age: number) => number | undefined;

/** By how much sales are restated and refunded later, on average: of a source as far as it has history, else of the account. */
export async function readValueFactors(
  tx: Tx,
  accountId: string,
  settings: ReportingSettings,
  knownOn: number,
): Promise<ValueFactor> {
  const { timeZone, currency } = settings;
  const zoned = Temporal.Instant.fromEpochMilliseconds(knownOn).toZonedDateTimeISO(timeZone);
  const today = Date.parse(`${zoned.toPlainDate().toString()}T00:00:00Z`) / DAY;
  const now: Now = { day: today, over: Math.min(1, (knownOn - zoned.startOfDay().epochMilliseconds) / DAY) };
  const firstDay = today - FULL_AGE - HISTORY;
  const known = {
    account_id: accountId,
    known_at: new Date(knownOn),
    from: new Date(firstDay * DAY),
    time_zone: timeZone,
  };
  const [rows, rates] = await Promise.all([
    sumSaleIncrements(tx, known),
    readDatedRates(tx, accountId, [firstDay - 1, today + 1], new Date(knownOn), settings),
  ]);
  const converter = new Converter(rates, currency ?? rows[0]?.currency ?? null);
  const sources = new Map<string, Revenue>();
  for (const { source, currency: of, sale_day: day, age, units } of rows) {
    const amount = converter.convert(Number(units), of, day);
    if (amount === undefined) continue;
    const key = source?.toLowerCase() ?? '';
    const revenue = sources.get(key) ?? new Map();
    sources.set(key, revenue);
    addIncrement(revenue, day, age, toAmount(amount));
  }
  const keys = [...sources].map(([source, revenue]) => ({ source, revenue }));
  const developments = developmentsOf(keys, FULL_AGE, now, true);
  if (isTooYoung(developments)) return () => undefined;
  const positions = new Map(keys.map(({ source }, i) => [source, i]));
  return (source, age) => {
    const { factors } = developments.keys[positions.get(source?.toLowerCase() ?? '') ?? -1] ?? developments.account;
    return factors.slice(Math.max(0, Math.floor(age))).reduce((product, factor) => product * factor, 1);
  };
}
