/**
 * The chain ladder of T. Mack (see chain-ladder.ts) for many small cohorts: origins are days, ages are whole days, and most cells are empty.
 *
 * A factor is Σ C_k+1 / Σ C_k as in Mack (1993). Its variance parameter is estimated from the sum of squared residuals over the volume, the
 * moment estimator of the same model, Var(C_k+1 | C_k) = σ²_k C_k: unlike the mean of squared ratios it is defined for origins that have nothing yet.
 * Errors are summed by the recursive form of Mack's formula (Mack 1999, "The standard error of chain ladder reserve estimates: recursive
 * calculation and inclusion of a tail factor"), which covers any set of origins, with their covariance, in one pass over the ages.
 */

/** What a set of origins says about the step from each age to the next. */
export interface Steps {
  /** Σ C_k and Σ C_k+1 of the origins that know both. */
  volumes: Float64Array;
  later: Float64Array;
  /** Σ C_k², Σ C_k C_k+1 and Σ C_k+1². */
  squares: Float64Array;
  products: Float64Array;
  laterSquares: Float64Array;
}

export interface Development {
  /** From each age to the next. */
  factors: Float64Array;
  /** σ²_k: the variance of a step for each unit of amount. */
  variances: Float64Array;
  /** The squared error of each factor. */
  errors: Float64Array;
  /** How much of each factor is its own, from 0 to 1; the rest is borrowed. */
  weights: Float64Array;
}

export function noSteps(ages: number): Steps {
  const zeros = () => new Float64Array(ages);
  return { volumes: zeros(), later: zeros(), squares: zeros(), products: zeros(), laterSquares: zeros() };
}

/** What a day of clicks earned. */
export interface Origin {
  /** By age, in order of age: what came at this age. */
  increments: readonly (readonly [age: number, amount: number])[];
  /** The last age that is over. */
  known: number;
}

/**
 * Adds origins whose residuals may go together, such as those of a week: what disturbs one of them disturbs the others, so that only
 * their sum tells how far a cohort deviates.
 */
export function addOrigins(steps: Steps, origins: readonly Origin[]): void {
  const ages = steps.volumes.length;
  const [before, after] = [new Float64Array(ages), new Float64Array(ages)];
  for (const { increments, known } of origins) {
    const until = Math.min(known, ages);
    let amount = 0;
    for (let i = 0; i < increments.length; i++) {
      const [from, change] = increments[i] as Origin['increments'][number];
      if (from > until) break;
      amount += change;
      // The amount stays until the next increment.
      const next = Math.min(increments[i + 1]?.[0] ?? until + 1, until + 1);
      for (let age = from; age < next; age++) {
        if (age < until) (before[age] as number) += amount;
        if (age > 0) (after[age - 1] as number) += amount;
      }
    }
  }
  for (let age = 0; age < ages; age++) {
    const [amount = 0, later = 0] = [before[age], after[age]];
    if (amount === 0 && later === 0) continue;
    add(steps.volumes, age, amount);
    add(steps.later, age, later);
    add(steps.squares, age, amount * amount);
    add(steps.products, age, amount * later);
    add(steps.laterSquares, age, later * later);
  }
}

function add(values: Float64Array, i: number, value: number): void {
  values[i] = (values[i] ?? 0) + value;
}

export function sumSteps(all: readonly Steps[], ages: number): Steps {
  const sum = noSteps(ages);
  for (const steps of all) {
    for (const name of Object.keys(sum) as (keyof Steps)[])
      steps[name].forEach((value, i) => void add(sum[name], i, value));
  }
  return sum;
}

/** The development of all origins together. */
export function developmentOf(steps: Steps): Development {
  const ages = steps.volumes.length;
  const [factors, variances, errors] = [new Float64Array(ages), new Float64Array(ages), new Float64Array(ages)];
  for (let k = 0; k < ages; k++) {
    const volume = steps.volumes[k] ?? 0;
    // Nothing has been earned yet: nothing is expected to follow.
    const factor = volume > 0 ? (steps.later[k] ?? 0) / volume : 1;
    factors[k] = factor;
    const squares = steps.squares[k] ?? 0;
    const residuals = residualsOf(steps, k, factor);
    // 1 minus the share of one origin of equal weights: a single origin says nothing about the variance.
    const freedom = volume > 0 ? 1 - squares / volume ** 2 : 0;
    variances[k] = freedom > 1e-9 ? residuals / volume / freedom : extrapolated(variances, k);
    errors[k] = volume > 0 ? (variances[k] ?? 0) / volume : 0;
  }
  return { factors, variances, errors, weights: new Float64Array(ages).fill(1) };
}

/** Σ (C_k+1 − f C_k)². */
function residualsOf(steps: Steps, k: number, factor: number): number {
  const [squares = 0, products = 0, laterSquares = 0] = [steps.squares[k], steps.products[k], steps.laterSquares[k]];
  return Math.max(0, laterSquares - 2 * factor * products + factor ** 2 * squares);
}

/** σ² around the factors of each member, so that their differences do not count as chance; that of the group where no member tells. */
function variancesWithin(members: readonly Steps[], group: Development): Float64Array {
  return group.variances.map((ofGroup, k) => {
    let [residuals, freedom] = [0, 0];
    for (const steps of members) {
      const volume = steps.volumes[k] ?? 0;
      if (volume <= 0) continue;
      residuals += residualsOf(steps, k, (steps.later[k] ?? 0) / volume);
      freedom += volume - (steps.squares[k] ?? 0) / volume;
    }
    return freedom > 1e-9 ? Math.min(residuals / freedom, ofGroup) : ofGroup;
  });
}

/** Mack's rule for an age that one origin knows. */
function extrapolated(variances: Float64Array, k: number): number {
  const [before = 0, last = 0] = [variances[k - 2], variances[k - 1]];
  if (k < 2) return last;
  return before > 0 ? Math.min(last ** 2 / before, before, last) : 0;
}

/**
 * The developments of the members of a group, each as credible as its volume makes it (Bühlmann and Straub): a factor is its own by
 * Z = V / (V + σ² / τ²) and that of the group for the rest, where τ² is the variance of true factors between the members.
 */
export function credibleDevelopments(members: readonly Steps[], group: Development): Development[] {
  const ages = group.factors.length;
  const variances = variancesWithin(members, group);
  const between = variances.map((variance, k) => varianceBetween(members, group, variance, k));
  return members.map((steps) => {
    const development = {
      factors: new Float64Array(ages),
      variances,
      errors: new Float64Array(ages),
      weights: new Float64Array(ages),
    };
    for (let k = 0; k < ages; k++) {
      const volume = Math.max(0, steps.volumes[k] ?? 0);
      const [tau, variance, pooled] = [between[k] ?? 0, variances[k] ?? 0, group.factors[k] ?? 1];
      const weight = tau > 0 && volume > 0 ? volume / (volume + variance / tau) : 0;
      const own = volume > 0 ? (steps.later[k] ?? 0) / volume : pooled;
      development.factors[k] = weight * own + (1 - weight) * pooled;
      development.errors[k] =
        (1 - weight) * tau + (1 - weight) ** 2 * (group.errors[k] ?? 0) + (weight === 1 ? variance / volume : 0);
      development.weights[k] = weight;
    }
    return development;
  });
}

/** τ² of one age: what the squared distances of the members' factors exceed chance by. */
function varianceBetween(members: readonly Steps[], group: Development, variance: number, k: number): number {
  let [volume, squares, distances, count] = [0, 0, 0, 0];
  for (const steps of members) {
    const own = steps.volumes[k] ?? 0;
    if (own <= 0) continue;
    volume += own;
    squares += own * own;
    distances += own * ((steps.later[k] ?? 0) / own - (group.factors[k] ?? 1)) ** 2;
    count++;
  }
  if (count < 2) return 0;
  const spread = volume - squares / volume;
  return spread <= 0 ? 0 : Math.max(0, (distances - (count - 1) * variance) / spread);
}

/** Origins to forecast: what they have, by the age that each knows. */
export type Amounts = ReadonlyMap<number, number>;

export interface Forecast {
  /** What is still to come. */
  reserve: number;
  standardError: number;
}

/**
 * What is still to come for a set of origins until the last age.
 * @param amounts by age; an age may be a fraction, whose step is partly over
 */
export function forecast(development: Development, amounts: Amounts): Forecast {
  const { factors, variances, errors } = development;
  const joining = [...amounts].sort(([a], [b]) => a - b);
  let [expected, process, estimation, reserve] = [0, 0, 0, 0];
  let next = 0;
  for (let k = 0; k < factors.length; k++) {
    let partly = 0;
    for (; next < joining.length && (joining[next]?.[0] ?? 0) < k + 1; next++) {
      const [age = 0, amount = 0] = joining[next] ?? [];
      const left = k + 1 - Math.max(age, 0);
      if (left >= 1) expected += amount;
      else {
        // A part of the step is over: its rest is the same growth for the time that is left.
        const factor = Math.max(factors[k] ?? 1, 0) ** left;
        reserve += amount * (factor - 1);
        process += amount * (variances[k] ?? 0) * left;
        partly += amount * factor;
      }
    }
    const factor = factors[k] ?? 1;
    const grown = expected * factor;
    process = factor ** 2 * process + Math.max(0, expected) * (variances[k] ?? 0);
    estimation = factor ** 2 * estimation + expected ** 2 * (errors[k] ?? 0);
    reserve += grown - expected;
    expected = grown + partly;
  }
  return { reserve, standardError: Math.sqrt(Math.max(0, process + estimation)) };
}

/** The interval around a mean that holds a share of the mass: lognormal, as revenue is positive and skewed. */
export function lognormalInterval(mean: number, standardError: number, level: number): [low: number, high: number] {
  const z = normalQuantile((1 + level) / 2);
  if (mean <= 0) return [mean - z * standardError, mean + z * standardError];
  const variance = Math.log1p((standardError / mean) ** 2);
  const middle = Math.log(mean) - variance / 2;
  return [Math.exp(middle - z * Math.sqrt(variance)), Math.exp(middle + z * Math.sqrt(variance))];
}

/** The quantile of the standard normal distribution, by bisection of its distribution function (Abramowitz and Stegun 7.1.26 has 7 digits). */
export function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalDistribution(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function normalDistribution(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - poly * Math.exp(-(x * x) / 2);
  return x >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}
