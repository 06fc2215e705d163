import { criticalValue, type Sequence, sequentialPValue } from './confidence-sequence.ts';
import { type Arm, difference, type Effect, logRatio, relativeDifference } from './effect.ts';
import { holmLevels } from './holm.ts';

/** Each variant against the first. Null: an arm has shown no variance yet. */
export interface Comparison {
  difference: number | null;
  low: number | null;
  high: number | null;
  relative: number | null;
  relativeLow: number | null;
  relativeHigh: number | null;
}

export interface DecidedComparison extends Comparison {
  decision: 'better' | 'worse' | 'undecided';
  /** The index of the look that decided. */
  decidedAt: number | null;
}

type Interval = readonly [low: number, high: number];

/**
 * How the lift is estimated. `ratio` is symmetric around its estimate, as it is published; the `logarithm` leaves out 0 where the difference does, and
 * falls back to the ratio unless both means are above 0.
 */
type Scale = 'logarithm' | 'ratio';

/** The sequence of a comparison has as many visitors in its plan as its two arms have of all. */
function sequenceOf(sequence: Sequence, weights: readonly number[], i: number): Sequence {
  if (sequence.planned === undefined) return sequence;
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return { ...sequence, planned: (sequence.planned * ((weights[0] ?? 0) + (weights[i] ?? 0))) / whole };
}

/** The comparisons after one look, with Holm's levels and the published lift. */
export function compareArms(arms: readonly Arm[], sequence: Sequence, weights: readonly number[]): Comparison[] {
  return decideByLooks([arms], sequence, weights, 'ratio').map(
    ({ decision: _decision, decidedAt: _decidedAt, ...comparison }) => comparison,
  );
}

/**
 * The comparisons after many looks, oldest first. A confidence sequence holds at all of them at once, so what any look has left out stays left
 * out: the interval is the intersection, and a decision stays. Both the difference and the lift must leave out 0.
 */
export function decideByLooks(
  looks: readonly (readonly Arm[])[],
  sequence: Sequence,
  weights: readonly number[],
  scale: Scale = 'logarithm',
): DecidedComparison[] {
  const last = looks.at(-1) ?? [];
  const indices = last.slice(1).map((_, i) => i + 1);
  const sequences = indices.map((i) => sequenceOf(sequence, weights, i));
  const smallest = indices.map(() => 1);
  const decided = indices.map((): { at: number; sign: number } | null => null);
  let levels = holmLevels(smallest, sequence.alpha);
  looks.forEach((arms, look) => {
    indices.forEach((i, k) => {
      const p = pValueOf(arms, i, sequences[k] ?? sequence, scale);
      if (p.value < (smallest[k] ?? 1)) smallest[k] = p.value;
    });
    levels = holmLevels(smallest, sequence.alpha);
    indices.forEach((i, k) => {
      if (decided[k] !== null || (smallest[k] ?? 1) > (levels[k] ?? 0)) return;
      decided[k] = { at: look, sign: pValueOf(arms, i, sequences[k] ?? sequence, scale).sign };
    });
  });
  return indices.map((i, k) => {
    const level = levels[k] ?? sequence.alpha;
    const intervals = looks.map((arms) => intervalsOf(arms, i, sequences[k] ?? sequence, level, scale));
    const current = intervals.at(-1);
    const absolute = intersect(intervals.map((each) => each.absolute));
    const relative = intersect(intervals.map((each) => each.relative));
    const at = decided[k] ?? null;
    return {
      difference: current?.difference?.estimate ?? null,
      low: absolute?.[0] ?? null,
      high: absolute?.[1] ?? null,
      relative: current?.lift?.estimate ?? null,
      relativeLow: relative?.[0] ?? null,
      relativeHigh: relative?.[1] ?? null,
      decision: at === null ? 'undecided' : at.sign > 0 ? 'better' : 'worse',
      decidedAt: at?.at ?? null,
    };
  });
}

function effectsOf(arms: readonly Arm[], i: number, scale: Scale) {
  const none: Arm = { n: 0, sum: 0, sumOfSquares: 0 };
  const [control, treatment] = [arms[0] ?? none, arms[i] ?? none];
  return {
    n: control.n + treatment.n,
    difference: difference(control, treatment),
    lift: relativeDifference(control, treatment),
    logarithm: scale === 'logarithm' ? logRatio(control, treatment) : null,
  };
}

/** How many standard errors the comparison is away from no difference; null: unknown. Both the difference and the lift must be. */
export function distanceOf(
  arms: readonly Arm[],
  i: number,
  scale: Scale = 'logarithm',
): { n: number; z: number } | null {
  const { n, difference: absolute, lift, logarithm } = effectsOf(arms, i, scale);
  if (absolute === null || lift === null) return null;
  const z = Math.min(...[absolute, logarithm ?? lift].map((each) => Math.abs(each.estimate) / each.standardError));
  return { n, z: z * Math.sign(absolute.estimate) };
}

/** The p-value of one comparison over all looks so far, and the sign of its difference. */
function pValueOf(arms: readonly Arm[], i: number, sequence: Sequence, scale: Scale): { value: number; sign: number } {
  const distance = distanceOf(arms, i, scale);
  if (distance === null) return { value: 1, sign: 0 };
  return { value: sequentialPValue(sequence, distance.n, Math.abs(distance.z)), sign: Math.sign(distance.z) };
}

function intervalsOf(arms: readonly Arm[], i: number, sequence: Sequence, level: number, scale: Scale) {
  const { n, difference: absolute, lift, logarithm } = effectsOf(arms, i, scale);
  const critical = n === 0 ? 0 : criticalValue(sequence, n, level);
  const around = ({ estimate, standardError }: Effect): Interval => [
    estimate - critical * standardError,
    estimate + critical * standardError,
  ];
  const [low, high] = logarithm ? around(logarithm) : [0, 0];
  return {
    ...{ difference: absolute, lift, absolute: absolute && around(absolute) },
    relative: logarithm ? ([Math.expm1(low), Math.expm1(high)] as const) : lift && around(lift),
  };
}

/** What all intervals have in common; the last of them if that is nothing, which a stationary effect makes as rare as alpha. */
function intersect(intervals: readonly (Interval | null)[]): Interval | null {
  const known = intervals.filter((interval) => interval !== null);
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const interval of known) {
    low = Math.max(low, interval[0]);
    high = Math.min(high, interval[1]);
  }
  return low <= high && known.length > 0 ? [low, high] : (known.at(-1) ?? null);
}
