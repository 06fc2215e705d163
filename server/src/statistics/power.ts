import { distanceOf } from './compare-arms.ts';
import { criticalValue, plannedCritical, type Sequence } from './confidence-sequence.ts';
import type { Arm } from './effect.ts';
import { holmLevels } from './holm.ts';
import { solve, upperQuantile, upperTail } from './normal.ts';

/** What an experiment is planned with: the mean and the variance of a visitor's value, and the shares of two arms. */
interface Baseline {
  mean: number;
  variance: number;
  weights: readonly [number, number];
}

/** The variance of a difference of means, times the number of visitors of both arms. */
function varianceOfDifference({ variance, weights: [control, treatment] }: Baseline): number {
  const whole = control + treatment;
  return variance * (whole / control + whole / treatment);
}

/** How many visitors a test of a single look needs to find a lift with a power. */
export function fixedSize(baseline: Baseline, lift: number, alpha: number, power: number): number {
  const drift = upperQuantile(alpha / 2) + upperQuantile(1 - power);
  return Math.ceil((drift ** 2 * varianceOfDifference(baseline)) / (lift * baseline.mean) ** 2);
}

/** How many it needs under all looks until its planned size, by the law of the maximum of a Brownian motion with drift. */
export function sequentialSize(baseline: Baseline, lift: number, alpha: number, power: number): number {
  const critical = plannedCritical(alpha);
  const crosses = (drift: number) =>
    upperTail(critical - drift) + Math.exp(2 * drift * critical) * upperTail(critical + drift) >= power;
  const drift = solve(crosses, 0, 20);
  return Math.ceil((drift ** 2 * varianceOfDifference(baseline)) / (lift * baseline.mean) ** 2);
}

/** Beyond this many times the present visitors, a decision is not foreseeable. */
const FORESEEABLE = 1_000;

/** How many visitors of all arms decide the first of the comparisons, if its difference stays as it is; null: not foreseeable. */
export function visitorsUntilDecision(
  arms: readonly Arm[],
  sequence: Sequence,
  weights: readonly number[],
): number | null {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const [level = sequence.alpha] = holmLevels(
    arms.slice(1).map(() => 1),
    sequence.alpha,
  );
  const needed = arms.slice(1).flatMap((arm, k) => {
    const control = arms[0] ?? arm;
    const share = ((weights[0] ?? 0) + (weights[k + 1] ?? 0)) / whole;
    const z = Math.abs(distanceOf([control, arm], 1)?.z ?? 0);
    const own = sequence.planned === undefined ? sequence : { ...sequence, planned: sequence.planned * share };
    const now = control.n + arm.n;
    for (let times = 1; z > 0 && times < FORESEEABLE; times *= 1.02) {
      if (z * Math.sqrt(times) >= criticalValue(own, now * times, level)) return [Math.ceil((now * times) / share)];
    }
    return [];
  });
  return needed.length === 0 ? null : Math.min(...needed);
}
