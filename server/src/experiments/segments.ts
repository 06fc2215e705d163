import { decideByLooks, type Sequence } from '../statistics/index.ts';
import type { AudienceName } from './contract.ts';
import { armOf, serializeArm } from './read-metric.ts';
import type { ExperimentResults } from './results-contract.ts';
import type { ArmRow } from './source-queries.ts';

/**
 * The largest segments. Whoever looks at ten of them finds a difference in one by chance, so intervals share the risk (Bonferroni), and none
 * of them decides.
 */
export function segmentsOf(
  by: AudienceName,
  rows: readonly ArmRow[],
  keys: readonly string[],
  sequence: Sequence,
  weights: readonly number[],
): NonNullable<ExperimentResults['segments']> {
  const visitorsOf = (some: readonly ArmRow[]) => some.reduce((sum, { visitors }) => sum + visitors, 0);
  const groups = [...Map.groupBy(rows, ({ segment }) => segment)]
    .flatMap(([value, own]) => (value === null ? [] : [{ value, own }]))
    .sort((a, b) => visitorsOf(b.own) - visitorsOf(a.own));
  const shared = { ...sequence, alpha: sequence.alpha / Math.max(1, groups.length) };
  const segments = groups.map(({ value, own }) => {
    const of = (key: string) => own.filter(({ variant }) => variant === key);
    const settled = keys.map((key) =>
      armOf(
        of(key).filter(({ day }) => day !== null),
        'settled',
      ),
    );
    return {
      value,
      arms: keys.map((key) => serializeArm(key, of(key))),
      comparisons: decideByLooks([settled], shared, weights).map((compared, i) => ({
        variant: keys[i + 1] ?? '',
        ...{ lift: compared.relative, low: compared.relativeLow, high: compared.relativeHigh },
      })),
    };
  });
  return { by, isExploration: true, segments };
}
