import { isoTime } from '../shared/time.ts';
import { DAY } from '../shared/units.ts';
import { visitorsUntilDecision } from '../statistics/index.ts';
import { durationOf } from './experiment.ts';
import type { ExperimentRow } from './queries.ts';
import { armOf, type Looks } from './read-metric.ts';
import type { ExperimentResults } from './results-contract.ts';
import { sequenceFor } from './sequence.ts';
import type { ArmRow } from './source-queries.ts';

/** Shorter, a rate says nothing. */
const MIN_DAYS = 1 / 24;

/** When the experiment would be decided if the difference and the number of visitors a day stayed as they are. */
export function paceOf(
  { definition, started_at, stopped_at }: ExperimentRow,
  settled: Looks,
  rows: readonly ArmRow[],
  knownOn: number,
): ExperimentResults['pace'] {
  if (started_at === null) return { visitorsPerDay: null, visitorsNeeded: null, decisionExpectedAt: null };
  const start = started_at.getTime();
  const days = Math.max(MIN_DAYS, (Math.min(stopped_at?.getTime() ?? knownOn, knownOn) - start) / DAY);
  const visitors = rows.reduce((sum, row) => sum + row.visitors, 0);
  const rate = visitors / days;
  const last = settled.arms.at(-1) ?? [];
  const arms = last.every(({ n }) => n > 1)
    ? last
    : definition.variants.map(({ key }) =>
        armOf(
          rows.filter(({ variant }) => variant === key),
          'to date',
        ),
      );
  const weights = definition.variants.map(({ weight }) => weight);
  const needed = visitorsUntilDecision(arms, sequenceFor(definition), weights);
  const isReached = needed !== null && rate > 0 && (stopped_at === null || needed <= visitors);
  const settles = durationOf(definition.window) + durationOf(definition.settleAfter);
  return {
    visitorsPerDay: Number(rate.toFixed(2)),
    visitorsNeeded: needed,
    decisionExpectedAt: isReached ? isoTime(Math.round(start + (needed / rate) * DAY + settles)) : null,
  };
}
