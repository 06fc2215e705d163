import { type ReportingSettings, readReportingSettings } from '../accounts/index.ts';
import { readDatedRates } from '../analytics/index.ts';
import type { Deps } from '../shared/deps.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { DAY } from '../shared/units.ts';
import type { Arm } from '../statistics/index.ts';
import type { AudienceName, Definition, Metric } from './contract.ts';
import { durationOf } from './experiment.ts';
import type { ExperimentRow } from './queries.ts';
import type { ResultArm } from './results-contract.ts';
import { type ArmRow, findSaleCurrencies, readArmsBy, readHistoryBy } from './source-queries.ts';

/** In a transaction, settings are read before: it must not wait for another connection. */
interface Sources {
  db: Tx;
  settings(): Promise<ReportingSettings>;
}
const sourcesOf = ({ control, db }: Pick<Deps, 'control' | 'db'>, accountId: string): Sources => ({
  db,
  settings: () => readReportingSettings(control, accountId),
});

/** The metric that decides, and then the guardrails. */
export const metricsOf = ({ metric, guardrails }: Pick<Definition, 'metric' | 'guardrails'>): Metric[] => [
  metric,
  ...guardrails,
];

/** What revenue converts to. */
export const currencyOf = async ({ control }: Pick<Deps, 'control'>, accountId: string, metric: Metric) =>
  metric.currency ?? (await readReportingSettings(control, accountId)).currency;

/** Whose exposures count. */
export interface Period {
  startedAt: Date;
  stoppedAt: Date;
  /** What is known by then. */
  knownOn: number;
}

/** The visitors of variants. @param segment a column of sessions by which they are divided */
export async function readMetric(
  deps: Pick<Deps, 'control' | 'db'>,
  account_id: string,
  { key, definition }: Pick<ExperimentRow, 'key' | 'definition'>,
  metric: Metric,
  period: Period,
  segment: AudienceName | null = null,
): Promise<ArmRow[]> {
  const variants = definition.variants.map((variant) => variant.key);
  const { currency: _currency, ...parameters } = await parametersOf(
    sourcesOf(deps, account_id),
    account_id,
    definition,
    metric,
    period,
  );
  return readArmsBy[metric.kind](deps.db, { ...parameters, key, variants, segment });
}

/** Everybody who visited in a period, as if all had been exposed then. Nobody has to settle. */
export async function readHistory(
  deps: Deps,
  accountId: string,
  definition: Definition,
  period: Period,
): Promise<ArmRow[]> {
  const { metric } = definition;
  const settling = { ...definition, settleAfter: '0d' };
  const { currency: _currency, ...parameters } = await parametersOf(
    sourcesOf(deps, accountId),
    accountId,
    settling,
    metric,
    period,
  );
  return readHistoryBy[metric.kind](deps.db, { ...parameters, segment: null });
}

/** What the metric that decides and the guardrails are read by; see `READ`. */
export async function parametersOf(
  sources: Sources,
  account_id: string,
  definition: Definition,
  metric: Metric,
  { startedAt, stoppedAt, knownOn }: Period,
) {
  const { event, kind, cap } = metric;
  const window_ms = durationOf(definition.window);
  // Exposures may have happened some time before they were received.
  const from = new Date(startedAt.getTime() - 365 * DAY - window_ms);
  const { currency, rates } = kind === 'revenue' ? await ratesOf(sources, account_id, metric, from, knownOn) : NO_RATES;
  return {
    ...{ account_id, started_at: startedAt, stopped_at: stoppedAt, known_at: new Date(knownOn) },
    ...{ window_ms, settle_ms: durationOf(definition.settleAfter), event, cap: cap ?? null },
    ...{ currency, rates },
    audience: JSON.stringify(definition.audience?.filters ?? {}),
  };
}

const NO_RATES = { currency: null, rates: [] };

/** What sales in other currencies convert at: the rate of their day. Those without one are left out. */
async function ratesOf(sources: Sources, account_id: string, metric: Metric, from: Date, knownOn: number) {
  const settings = await sources.settings();
  const currency = metric.currency ?? settings.currency;
  if (currency === null) return NO_RATES;
  const sold = await findSaleCurrencies(sources.db, { account_id, from, event: metric.event, currency });
  if (sold.length === 0) return { currency, rates: [] };
  const days = sold.map(({ day }) => day);
  const period = [Math.min(...days), Math.max(...days) + 1] as const;
  const rates = await readDatedRates(sources.db, account_id, period, new Date(knownOn), settings);
  const convert = (sale: { currency: string; day: number }) => rates.rate(sale.currency, currency, sale.day)?.rate ?? 0;
  return { currency, rates: sold.map((sale) => ({ ...sale, rate: convert(sale) })) };
}

export interface Looks {
  arms: Arm[][];
  /** When each look was. */
  times: number[];
}

/** The settled visitors of each arm at the end of each day on which some settled. */
export function looksOf(rows: readonly ArmRow[], keys: readonly string[], knownOn: number): Looks {
  const days = [...new Set(rows.map(({ day }) => day).filter((day) => day !== null))].sort((a, b) => a - b);
  const sums = keys.map((): Arm => ({ n: 0, sum: 0, sumOfSquares: 0 }));
  const arms = days.map((day) =>
    keys.map((key, i) => {
      const before = sums[i] ?? { n: 0, sum: 0, sumOfSquares: 0 };
      const of = armOf(
        rows.filter((row) => row.day === day && row.variant === key),
        'settled',
      );
      const after = {
        n: before.n + of.n,
        sum: before.sum + of.sum,
        sumOfSquares: before.sumOfSquares + of.sumOfSquares,
      };
      sums[i] = after;
      return after;
    }),
  );
  const times = days.map((day) => Math.min((day + 1) * DAY, knownOn));
  return arms.length > 0 ? { arms, times } : { arms: [sums], times: [knownOn] };
}

export function armOf(rows: readonly ArmRow[], of: 'settled' | 'to date'): Arm {
  const arm: Arm = { n: 0, sum: 0, sumOfSquares: 0 };
  for (const row of rows) {
    arm.n += row.visitors;
    arm.sum += of === 'settled' ? row.settled_sum : row.sum;
    arm.sumOfSquares += of === 'settled' ? row.settled_squares : row.squares;
  }
  return arm;
}

export function serializeArm(variant: string, rows: readonly ArmRow[]): ResultArm {
  const settled = rows.filter(({ day }) => day !== null);
  const count = (of: readonly ArmRow[], read: (row: ArmRow) => number) => of.reduce((sum, row) => sum + read(row), 0);
  return {
    variant,
    visitors: count(rows, ({ visitors }) => visitors),
    settledVisitors: count(settled, ({ visitors }) => visitors),
    conversions: count(rows, ({ conversions }) => conversions),
    revenue: amount(count(rows, ({ revenue }) => Number(revenue))),
    settledRevenue: amount(count(settled, ({ settled_revenue }) => Number(settled_revenue))),
  };
}

/** Without the noise of sums of binary fractions. */
export const amount = (value: number) => String(Number(value.toFixed(6)));
