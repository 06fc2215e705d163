import type { Deps } from '../shared/deps.ts';
import { isoTime } from '../shared/time.ts';
import { decideByLooks } from '../statistics/index.ts';
import type { ExperimentRow } from './queries.ts';
import { amount, armOf, readMetric, serializeArm } from './read-metric.ts';
import type { ExperimentResults } from './results-contract.ts';
import { sequenceFor } from './sequence.ts';

/** What the shipped variant earns since then, compared with those who go on seeing the first one; null without a holdout. */
export async function readHoldout(
  deps: Deps,
  accountId: string,
  { key, definition, shipped_variant, shipped_at }: ExperimentRow,
  knownOn: number,
): Promise<ExperimentResults['holdout']> {
  const [control] = definition.variants;
  const { holdout, metric } = definition;
  if (!control || !shipped_at || shipped_variant === null || shipped_variant === control.key || holdout === 0)
    return null;
  const variants = [control, ...definition.variants.filter((variant) => variant.key === shipped_variant)];
  const period = { startedAt: shipped_at, stoppedAt: new Date(knownOn), knownOn };
  const rows = await readMetric(deps, accountId, { key, definition: { ...definition, variants } }, metric, period);
  const of = (variant: string) => rows.filter((row) => row.variant === variant);
  const toDate = variants.map((variant) => armOf(of(variant.key), 'to date'));
  const settled = variants.map((variant) =>
    armOf(
      of(variant.key).filter(({ day }) => day !== null),
      'settled',
    ),
  );
  const [compared] = decideByLooks([settled], sequenceFor(definition), [holdout, 1 - holdout]);
  const [held, shipped] = toDate.map(({ n, sum }) => ({ n, mean: n === 0 ? null : sum / n }));
  const gain = held?.mean == null || shipped?.mean == null ? null : amount((shipped.mean - held.mean) * shipped.n);
  return {
    ...{ share: holdout, since: isoTime(shipped_at), gain },
    arms: variants.map((variant) => serializeArm(variant.key, of(variant.key))),
    ...{ lift: compared?.relative ?? null, low: compared?.relativeLow ?? null, high: compared?.relativeHigh ?? null },
  };
}
