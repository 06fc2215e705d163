import { isDeepStrictEqual } from 'node:util';
import { readReportingSettings } from '../accounts/index.ts';
import { readAggregated } from '../analytics/index.ts';
import type { Deps } from '../shared/deps.ts';
import { firstUuidAt } from '../shared/ids.ts';
import { BY_INDEX, type Tx } from '../shared/postgres/database.ts';
import { planAnew } from '../shared/postgres/grown-tables.ts';
import { HOUR, MINUTE } from '../shared/units.ts';
import { isErasing } from '../tracking/index.ts';
import { AUDIENCE, type AudienceName, type Metric } from './contract.ts';
import { type ExperimentRow, findExperiment } from './queries.ts';
import { metricsOf, parametersOf } from './read-metric.ts';
import type { ArmRow } from './source-queries.ts';
import {
  buildSumsBy,
  clearErased,
  clearSeries,
  findAhead,
  findChanged,
  findReplaced,
  findSalesAhead,
  findSalesAheadOf,
  findSeries,
  insertSeries,
  lockSeries,
  readSegments,
  readSums,
  refreshSumsBy,
  type SeriesKey,
  type SeriesRow,
  updateSeries,
  waitForSeries,
} from './sum-queries.ts';

/**
 * The results of large experiments are read from sums of visitors by the hour at which they settle. A visitor whose sessions, leads, exposures or sales
 * changed is computed anew from what was recorded, as all visitors are where there are no sums, and the sums change by the
 * difference. So they equal what would be computed without them, as of the last run of aggregation.
 */

/** More of them are computed together, with all others. */
const MOST_CHANGED = 50_000;
const CHUNK = 1_000;
/** An id may be a little earlier than the time at which its row was received, and a page's clock up to an hour ahead. */
const TOLERANCE_MS = 2 * HOUR;

/** Sums older than this are not read. */
const MAX_AGE_MS = 15 * MINUTE;
/** How often a run is noted that found nothing new. */
const NOTED_MS = MINUTE;

type Concerned = { visitors: readonly string[]; leads: readonly string[] };
type SumDeps = Pick<Deps, 'db' | 'control' | 'clock'>;

/** Lets the metrics of an experiment have sums, which the next run makes. */
export async function addSeries({ db }: Pick<Deps, 'db'>, row: ExperimentRow, account_id: string): Promise<void> {
  for (const metric of metricsOf(row.definition).keys())
    await insertSeries(db, { account_id, experiment_id: row.id, metric });
}

/**
 * The visitors of a metric at a time that is not in the past; null: there are no sums, or none that are up to date.
 * @param segment a column of sessions by which they are divided, of the metric that decides
 * @param since sums that were brought up to date before are not read
 */
export async function readArmsFromSums(
  deps: Pick<Deps, 'db' | 'control'>,
  key: SeriesKey,
  metric: Metric,
  knownOn: number,
  segment: AudienceName | null = null,
  since = knownOn - MAX_AGE_MS,
): Promise<ArmRow[] | null> {
  const { db } = deps;
  const { kind, cap } = metric;
  const [series] = await findSeries(db, key);
  if (!series?.refreshed_at || series.refreshed_at.getTime() < since) return null;
  if (kind === 'revenue') {
    const { currency, exchangeRates } = await readReportingSettings(deps.control, key.account_id);
    // Amounts are labelled with the currency that is set now.
    const isConverted = series.basis.currency === (metric.currency ?? currency);
    if (!isConverted || !isDeepStrictEqual(series.basis.exchangeRates, exchangeRates)) return null;
  }
  const read = { ...key, known_at: new Date(knownOn), kind, cap: cap ?? null };
  return segment === null ? readSums(db, read) : readSegments(db, { ...read, index: AUDIENCE.indexOf(segment) });
}

/** Brings the sums of a metric up to date, unless another process does. */
export const refreshSums = (deps: SumDeps, key: SeriesKey): Promise<void> => refresh(deps, key, false);

/** Takes account of what was erased. */
export const refreshErased = (deps: SumDeps, key: SeriesKey): Promise<void> => refresh(deps, key, true);

async function refresh(deps: SumDeps, key: SeriesKey, isErased: boolean): Promise<void> {
  const { account_id, experiment_id: id } = key;
  const [row] = await findExperiment(deps.db, { account_id, id });
  const metric = row && metricsOf(row.definition)[key.metric];
  if (!row || !metric || row.started_at === null) return;
  const now = deps.clock();
  // The clocks of other processes may be ahead.
  const stoppedAt = row.stopped_at ?? new Date(now + TOLERANCE_MS);
  const period = { startedAt: row.started_at, stoppedAt, knownOn: now };
  const variants = row.definition.variants.map((each) => each.key);
  const settings = await readReportingSettings(deps.control, account_id);
  const work = async (tx: Tx) => {
    await tx.query(`set local statement_timeout = 0; ${BY_INDEX}`);
    const [series] = await (isErased ? waitForSeries : lockSeries)(tx, key);
    if (!series) return;
    await planAnew(tx);
    // Of the same snapshot, so that no sale is read without its rate.
    const sources = { db: tx, settings: async () => settings };
    const { currency, ...read } = await parametersOf(sources, account_id, row.definition, metric, period);
    const stored = { ...read, ...key, key: row.key, variants };
    const { exchangeRates } = settings;
    const basis = { currency, exchangeRates, rates: ratesBy(read.rates), stoppedAt: row.stopped_at?.getTime() ?? null };
    const store = (concerned: Concerned) => storeInChunks(tx, metric, stored, concerned);
    const erased = { visitors: series.erased_visitors, leads: series.erased_leads };
    if (isErased) {
      if (series.snapshot !== null) await store(erased);
      return;
    }
    const erasing = await isErasing(tx, account_id);
    // An erasure that began before there were sums has not recorded whom it concerns.
    if (erasing && series.snapshot === null) return;
    const aggregated = await readAggregated(tx, account_id);
    // A session that loses the flag of bots is not found as a change: the next run waits until none is left to check.
    if (aggregated === null) return;
    const isNoted = series.refreshed_at !== null && now - series.refreshed_at.getTime() < NOTED_MS;
    const isQuiet = isNoted && isSame(series.basis, basis) && series.ahead.length === 0 && isNobody(erased);
    if (isQuiet && aggregated === series.snapshot) return;
    const changed = await changedSince(tx, { account_id, key: row.key }, series, basis, aggregated);
    const at = new Date(now);
    let sales: { visitor: string }[];
    if (changed === null) {
      await clearSeries(tx, key);
      // Reading all rows is faster without indexes.
      await tx.query('set local enable_seqscan = on');
      await buildSumsBy[metric.kind](tx, stored);
      sales = await findSalesAhead(tx, { account_id, at });
    } else {
      await store({ visitors: [...changed.visitors, ...erased.visitors], leads: [...changed.leads, ...erased.leads] });
      sales = await findSalesAheadOf(tx, { account_id, at, visitors: changed.visitors });
    }
    if (!erasing && !isNobody(erased)) await clearErased(tx, key);
    const received_after = firstUuidAt(now - TOLERANCE_MS);
    const exposures = await findAhead(tx, { account_id, key: row.key, received_after, at });
    const ahead = [...exposures, ...sales].map(({ visitor }) => visitor);
    if (isQuiet && changed !== null && isNobody(changed) && ahead.length === 0) return;
    await updateSeries(tx, {
      ...{ ...key, snapshot: aggregated, basis: JSON.stringify(basis), refreshed_at: at },
      ahead,
    });
  };
  await deps.db.transaction(work, { isRepeatableRead: true });
}

const ratesBy = (rates: readonly { currency: string; day: number; rate: number }[]) =>
  Object.fromEntries(rates.map(({ currency, day, rate }) => [`${currency} ${day}`, rate]));

const isNobody = ({ visitors, leads }: Concerned) => visitors.length === 0 && leads.length === 0;

const isSame = (before: SeriesRow['basis'], after: SeriesRow['basis']) =>
  before.stoppedAt === after.stoppedAt &&
  isDeepStrictEqual(before.exchangeRates, after.exchangeRates) &&
  isContained(before, after);

/** Whether what was converted would be converted alike now. Sales of further days may have come. */
const isContained = (before: SeriesRow['basis'], after: SeriesRow['basis']) =>
  before.currency === after.currency &&
  Object.entries(before.rates ?? {}).every(([day, rate]) => after.rates?.[day] === rate);

/** Whom to compute anew; null: everybody. */
async function changedSince(
  tx: Tx,
  { account_id, key }: { account_id: string; key: string },
  { snapshot, xmin, basis: before, ahead }: SeriesRow,
  basis: SeriesRow['basis'],
  aggregated: string,
): Promise<Concerned | null> {
  if (snapshot === null || xmin === null || !isContained(before, basis)) return null;
  // What was copied to a server whose transactions have lower numbers.
  if (BigInt(xmin) > BigInt(aggregated.split(':')[0] ?? 0)) return null;
  if ((await findReplaced(tx, { account_id, snapshot, xmin })).length > 0) return null;
  const { stoppedAt } = basis;
  const stopped_after = stoppedAt != null && before.stoppedAt == null ? firstUuidAt(stoppedAt - TOLERANCE_MS) : null;
  const found = await findChanged(tx, {
    ...{ account_id, snapshot, xmin, key, stopped_after },
    limit: MOST_CHANGED + 1,
  });
  if (found.length > MOST_CHANGED) return null;
  return {
    visitors: [...ahead, ...found.flatMap(({ visitor }) => visitor ?? [])],
    leads: found.flatMap(({ lead }) => lead ?? []),
  };
}

async function storeInChunks(
  tx: Tx,
  { kind }: Metric,
  parameters: Parameters<(typeof buildSumsBy)[Metric['kind']]>[1],
  { visitors, leads }: Concerned,
): Promise<void> {
  for (let at = 0; at < Math.max(visitors.length, leads.length); at += CHUNK) {
    const some = { visitors: visitors.slice(at, at + CHUNK), leads: leads.slice(at, at + CHUNK) };
    await refreshSumsBy[kind](tx, { ...parameters, ...some });
  }
}
