/** How a conversion is shared among the sessions that led to it. */
export const MODELS = ['first', 'last', 'linear', 'position', 'timeDecay'] as const;
export type Model = (typeof MODELS)[number];

/** For each session in order of time its share, a part of 1. */
export type Shares = Record<Model, readonly number[]>;

const SINGLE: Shares = { first: [1], last: [1], linear: [1], position: [1], timeDecay: [1] };

export const HALF_LIFE_S = 7 * 86_400;

/** @param ages how many seconds before the conversion each session started, in order of time */
export function sharesOf(ages: readonly number[]): Shares {
  const n = ages.length;
  if (n === 1) return SINGLE;
  // Relative to the last session, so that no weight becomes 0.
  const weights = ages.map((age) => 2 ** (-(Math.max(age, 0) - Math.max(ages[n - 1] ?? 0, 0)) / HALF_LIFE_S));
  const sum = weights.reduce((a, b) => a + b, 0);
  const middle = 0.2 / (n - 2);
  const end = n === 2 ? 0.5 : 0.4;
  return {
    first: ages.map((_, i) => (i === 0 ? 1 : 0)),
    last: ages.map((_, i) => (i === n - 1 ? 1 : 0)),
    linear: ages.map(() => 1 / n),
    position: ages.map((_, i) => (i === 0 || i === n - 1 ? end : middle)),
    timeDecay: weights.map((weight) => weight / sum),
  };
}
