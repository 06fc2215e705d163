import { readReportingSettings } from '../accounts/index.ts';
import { parseKnownOn } from '../analytics/index.ts';
import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import { decideByLooks, type Sequence, sampleRatio } from '../statistics/index.ts';
import type { Metric } from './contract.ts';
import { readHoldout } from './holdout.ts';
import { paceOf } from './pace.ts';
import { type ExperimentRow, findKept } from './queries.ts';
import { armOf, currencyOf, type Looks, looksOf, metricsOf, readMetric, serializeArm } from './read-metric.ts';
import type { ExperimentResults, ResultsQuery } from './results-contract.ts';
import { segmentsOf } from './segments.ts';
import { ALPHA, sequenceFor } from './sequence.ts';
import { summarize } from './summarize.ts';
import { readArmsFromSums } from './sums.ts';

/**
 * What is computed, or what was kept before retention deleted visitors.
 * @throws ApiError 400 `timestamp_invalid`
 */
export async function getResults(
  deps: Deps,
  accountId: string,
  row: ExperimentRow,
  query: ResultsQuery,
): Promise<ExperimentResults> {
  const results = await computeResults(deps, accountId, row, query);
  if (row.stopped_at === null) return results;
  const [kept] = await findKept(deps.db, { account_id: accountId, id: row.id });
  const before = kept?.kept_results;
  if (!before || before.asKnownOn > results.asKnownOn || settledOf(before) <= settledOf(results)) return results;
  const { holdout, segments } = results;
  const summary = summarize(row.status, before.arms, before.comparisons, before.sampleRatio.ok, before.pace);
  return { ...before, holdout, segments, summary };
}

/** Settled visitors decide, so of two results the one with more of them says more. */
export const settledOf = ({ arms }: Pick<ExperimentResults, 'arms'>): number =>
  arms.reduce((sum, { settledVisitors }) => sum + settledVisitors, 0);

/** @throws ApiError 400 `timestamp_invalid` */
async function readKnownOn({ control, clock }: Deps, accountId: string, { asKnownOn }: ResultsQuery): Promise<number> {
  const faults: Fault[] = [];
  const zone = asKnownOn === undefined ? 'UTC' : (await readReportingSettings(control, accountId)).timeZone;
  const knownOn = parseKnownOn(asKnownOn, zone, clock(), faults);
  refuse(faults);
  return knownOn;
}

/** @throws ApiError 400 `timestamp_invalid` */
export async function computeResults(
  deps: Deps,
  accountId: string,
  row: ExperimentRow,
  query: ResultsQuery,
): Promise<ExperimentResults> {
  const knownOn = await readKnownOn(deps, accountId, query);
  const { definition } = row;
  const { metric, guardrails, variants } = definition;
  const weights = variants.map(({ weight }) => weight);
  const keys = variants.map(({ key }) => key);
  const sequence = sequenceFor(definition);
  const [main, ...others] = await Promise.all(
    metricsOf(definition).map(async (each, i) => {
      if (row.started_at === null) return [];
      const segment = i === 0 ? (query.segment ?? null) : null;
      const series = { account_id: accountId, experiment_id: row.id, metric: i };
      const summed =
        query.asKnownOn === undefined ? await readArmsFromSums(deps, series, each, knownOn, segment) : null;
      if (summed !== null) return summed;
      // What was received later was not known then, whenever it happened.
      const stoppedAt = new Date(Math.min(row.stopped_at?.getTime() ?? knownOn, knownOn));
      const period = { startedAt: row.started_at, stoppedAt, knownOn };
      return readMetric(deps, accountId, row, each, period, segment);
    }),
  );
  if (!main) throw new Error('an experiment has a metric');

  const nameOf = (i: number) => ({ variant: keys[i + 1] ?? '' });
  const compare = (of: Metric, isGuardrail: boolean, looks: Looks) =>
    decideByLooks(looks.arms, sequence, weights).map((compared, i) => ({
      ...{ ...nameOf(i), metric: of.event, kind: of.kind, isGuardrail },
      ...{ lift: compared.relative, low: compared.relativeLow, high: compared.relativeHigh },
      decision: compared.decision,
      decidedAt: compared.decidedAt === null ? null : (looks.times[compared.decidedAt] ?? null),
    }));
  const settled = [main, ...others].map((rows) => looksOf(rows, keys, knownOn));
  const decided = settled.flatMap((looks, i) =>
    compare(i === 0 ? metric : (guardrails[i - 1] ?? metric), i > 0, looks),
  );
  const toDate = [main, ...others].flatMap((rows, i) =>
    compare(i === 0 ? metric : (guardrails[i - 1] ?? metric), i > 0, {
      arms: [
        keys.map((key) =>
          armOf(
            rows.filter(({ variant }) => variant === key),
            'to date',
          ),
        ),
      ],
      times: [knownOn],
    }),
  );
  const arms = keys.map((key) =>
    serializeArm(
      key,
      main.filter(({ variant }) => variant === key),
    ),
  );
  const observed = arms.map(({ visitors }) => visitors);
  const total = observed.reduce((sum, count) => sum + count, 0);
  const ratio = {
    expected: weights.map((weight) => weight * total),
    observed,
    ...sampleRatio(observed, weights, ALPHA),
  };
  const times = decided
    .filter(({ isGuardrail, decidedAt }) => !isGuardrail && decidedAt !== null)
    .map(({ decidedAt }) => decidedAt ?? 0);
  const pace = paceOf(row, settled[0] ?? { arms: [], times: [] }, main, knownOn);
  const comparisons = decided.map(({ decidedAt: _decidedAt, ...comparison }) => comparison);
  return {
    asKnownOn: isoTime(knownOn),
    currency: metric.kind === 'revenue' ? await currencyOf(deps, accountId, metric) : null,
    arms,
    comparisons,
    sampleRatio: ratio,
    toDate: {
      arms,
      comparisons: toDate.map(({ decision: _decision, decidedAt: _decidedAt, ...comparison }) => comparison),
      sampleRatio: ratio,
    },
    looks: lookIntervals(settled[0] ?? { arms: [], times: [] }, keys, sequence, weights),
    segments: query.segment === undefined ? null : segmentsOf(query.segment, main, keys, sequence, weights),
    holdout: await readHoldout(deps, accountId, row, knownOn),
    pace,
    contaminated: main.reduce((sum, { contaminated }) => sum + contaminated, 0),
    summary: summarize(row.status, arms, comparisons, ratio.ok, pace),
    decidedAt: times.length === 0 ? null : isoTime(Math.min(...times)),
  };
}

function lookIntervals(looks: Looks, keys: readonly string[], sequence: Sequence, weights: readonly number[]) {
  return looks.times.map((time, look) => {
    const arms = looks.arms[look] ?? [];
    const compared = decideByLooks([arms], sequence, weights);
    return {
      at: isoTime(time),
      settledVisitors: arms.reduce((sum, { n }) => sum + n, 0),
      intervals: compared.map(({ relative, relativeLow, relativeHigh }, i) => ({
        ...{ variant: keys[i + 1] ?? '', lift: relative },
        ...{ low: relativeLow, high: relativeHigh },
      })),
    };
  });
}
