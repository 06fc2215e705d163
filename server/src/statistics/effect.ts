/** What is known of one arm: its visitors, and the sum and the sum of squares of their values. */
export interface Arm {
  n: number;
  sum: number;
  sumOfSquares: number;
}

/** An estimate with its standard error. */
export interface Effect {
  estimate: number;
  standardError: number;
}

export const mean = ({ n, sum }: Arm): number => (n === 0 ? 0 : sum / n);

/** The unbiased variance of the values. */
export function variance({ n, sum, sumOfSquares }: Arm): number {
  return n < 2 ? 0 : Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1));
}

/** Treatment minus control. Null where an arm has shown no variance, so that no error can be estimated. */
export function difference(control: Arm, treatment: Arm): Effect | null {
  const [ofControl, ofTreatment] = [variance(control), variance(treatment)];
  if (ofControl === 0 || ofTreatment === 0) return null;
  return {
    estimate: mean(treatment) - mean(control),
    standardError: Math.sqrt(ofControl / control.n + ofTreatment / treatment.n),
  };
}

/**
 * The difference relative to the control's mean, by the delta method: Deng, Knoblich and Lu, "Applying the delta method in metric
 * analytics" (2018), section 3.1, as GrowthBook computes it (`gbstats/utils.py`, variance_of_ratios). Null also if the control's mean is 0.
 */
export function relativeDifference(control: Arm, treatment: Arm): Effect | null {
  const [ofControl, ofTreatment] = [variance(control), variance(treatment)];
  const [base, other] = [mean(control), mean(treatment)];
  if (ofControl === 0 || ofTreatment === 0 || base === 0) return null;
  const squared = ofTreatment / treatment.n / base ** 2 + ((ofControl / control.n) * other ** 2) / base ** 4;
  return { estimate: (other - base) / Math.abs(base), standardError: Math.sqrt(squared) };
}

/**
 * The same of the logarithm of the ratio of the means, by the delta method: error² = V(treatment)/treatment² + V(control)/control² (Deng, Knoblich and
 * Lu, 2018, section 3.1; Katz et al., Biometrics 34, 1978, for proportions). Unlike the ratio itself, its error hardly depends on which of the two is larger, so
 * that it leaves out 0 where the difference does. Null also unless both means are above 0.
 */
export function logRatio(control: Arm, treatment: Arm): Effect | null {
  const [ofControl, ofTreatment] = [variance(control), variance(treatment)];
  const [base, other] = [mean(control), mean(treatment)];
  if (ofControl === 0 || ofTreatment === 0 || base <= 0 || other <= 0) return null;
  const squared = ofTreatment / treatment.n / other ** 2 + ofControl / control.n / base ** 2;
  return { estimate: Math.log(other / base), standardError: Math.sqrt(squared) };
}
