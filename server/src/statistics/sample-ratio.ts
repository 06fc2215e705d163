import { logGamma } from './normal.ts';

/** How tightly the alternative surrounds the planned shares: the default of the published implementation. */
const CONCENTRATION = 10_000;

export interface SampleRatio {
  /** The evidence against the planned shares, as a Bayes factor: at most 1 on average while they hold, however often one looks. */
  e: number;
  /** False once the evidence exceeds 1 / alpha: visitors are missing from an arm, and no result can be trusted. */
  ok: boolean;
}

/**
 * The sequential test of the sample ratio by Lindon and Malek, "Anytime-valid inference for multinomial count data" (arXiv 2011.03567): a
 * Dirichlet-multinomial alternative around the planned shares, as in `optimizely/ssrm`. By Ville's inequality the evidence ever
 * reaches 1 / alpha with a probability of at most alpha.
 */
export function sampleRatio(counts: readonly number[], weights: readonly number[], alpha: number): SampleRatio {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let log = logGamma(CONCENTRATION) - logGamma(CONCENTRATION + total);
  counts.forEach((count, i) => {
    const share = (weights[i] ?? 0) / whole;
    log += logGamma(CONCENTRATION * share + count) - logGamma(CONCENTRATION * share) - count * Math.log(share);
  });
  return { e: Math.exp(Math.min(log, 700)), ok: log < -Math.log(alpha) };
}
