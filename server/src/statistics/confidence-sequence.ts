import { upperQuantile, upperTail } from './normal.ts';

/**
 * Confidence sequences: intervals that hold at all times at once, so that looking often and stopping at will costs nothing.
 *
 * The *mixture* is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
 * and asymptotic confidence sequences" (arXiv 2103.06476v7), which GrowthBook publishes (`gbstats/frequentist/tests.py`). It is one sequence
 * for the difference of two arms, which is narrower than a union of one for each arm (Lindon and Kallus, arXiv 2603.25971).
 *
 * With a *planned* size, most of the error is spent until that size, where a boundary that is constant for the sum is nearly as
 * narrow as the interval of a single look (O'Brien and Fleming, Biometrics 35, 1979), and the rest on the mixture, which never ends.
 */
export interface Sequence {
  alpha: number;
  /** The number of visitors at which the mixture is narrowest. */
  tuning: number;
  /** The number of visitors for which the experiment is planned. */
  planned?: number;
}

/** The tuning of GrowthBook, where nothing is planned. */
export const DEFAULT_TUNING = 5_000;

/** The part of the error that is spent until the planned size. */
const UNTIL_PLANNED = 0.8;

/** ρ, which makes the mixture narrowest at `tuning`: equation 161. */
function mixtureRho({ alpha, tuning }: Sequence): number {
  const log = -2 * Math.log(alpha);
  return Math.sqrt((log + Math.log(log + 1)) / tuning);
}

/** How many standard errors from the estimate the interval of `level` reaches, after n visitors. */
export function criticalValue(sequence: Sequence, n: number, level: number): number {
  const { planned } = sequence;
  if (planned === undefined) return mixtureCritical(sequence, n, level);
  const mixture = mixtureCritical(sequence, n, level * (1 - UNTIL_PLANNED));
  if (n > planned) return mixture;
  return Math.min(mixture, plannedCritical(level) * Math.sqrt(planned / n));
}

/** The smallest level whose interval leaves out 0, when the estimate is `z` standard errors away from it. */
export function sequentialPValue(sequence: Sequence, n: number, z: number): number {
  const { planned } = sequence;
  const mixture = mixturePValue(sequence, n, z);
  if (planned === undefined) return mixture;
  const late = mixture / (1 - UNTIL_PLANNED);
  const early = n > planned ? 1 : (4 * upperTail(Math.abs(z) * Math.sqrt(n / planned))) / UNTIL_PLANNED;
  return Math.min(1, late, early);
}

/** Equation 9, in standard errors: √(2 (nρ² + 1) ln(√(nρ² + 1) / α) / nρ²). */
function mixtureCritical(sequence: Sequence, n: number, level: number): number {
  const scaled = n * mixtureRho(sequence) ** 2;
  return Math.sqrt((2 * (scaled + 1) * Math.log(Math.sqrt(scaled + 1) / level)) / scaled);
}

/** Equation 155: what equation 9 inverts. */
function mixturePValue(sequence: Sequence, n: number, z: number): number {
  const scaled = n * mixtureRho(sequence) ** 2;
  return Math.min(1, Math.sqrt(scaled + 1) * Math.exp((-z * z * scaled) / (2 * (scaled + 1))));
}

/**
 * The sum of values whose variance is 1 in all leaves ±c at any time with a probability of at most 4 (1 − Φ(c)): the reflection principle of
 * Brownian motion.
 */
const criticalByLevel = new Map<number, number>();
export function plannedCritical(level: number): number {
  let critical = criticalByLevel.get(level);
  if (critical === undefined) {
    critical = upperQuantile((level * UNTIL_PLANNED) / 4);
    if (criticalByLevel.size < 1_000) criticalByLevel.set(level, critical);
  }
  return critical;
}
