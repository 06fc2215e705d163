/** How a conversion is shared among the sessions that led to it. */
export const MODELS = ['first', 'last', 'linear', 'position', 'timeDecay'] as const;
export type Model = (typeof MODELS)[number];

/** For each session in order of time its share, a part of 1. */
export type Shares = Record<Model, readonly number[]>;

const HALF_LIFE_S = 7 * 86_400;

/** By model, the share of each session. They take how many seconds before the conversion each session started, in order of time. */
export const SHARES: Readonly<Record<Model, (ages: readonly number[]) => readonly number[]>> = {
  first: (ages) => ages.map((_, i) => (i === 0 ? 1 : 0)),
  last: (ages) => ages.map((_, i) => (i === ages.length - 1 ? 1 : 0)),
  linear: (ages) => ages.map(() => 1 / ages.length),
  position(ages) {
    const n = ages.length;
    if (n < 3) return ages.map(() => 1 / n);
    const middle = 0.2 / (n - 2);
    return ages.map((_, i) => (i === 0 || i === n - 1 ? 0.4 : middle));
  },
  timeDecay(ages) {
    // Relative to the last session, so that no weight becomes 0.
    const last = Math.max(ages.at(-1) ?? 0, 0);
    const weights = ages.map((age) => 2 ** (-(Math.max(age, 0) - last) / HALF_LIFE_S));
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  },
};

const SINGLE: Shares = { first: [1], last: [1], linear: [1], position: [1], timeDecay: [1] };

/** @param ages how many seconds before the conversion each session started, in order of time */
export function sharesOf(ages: readonly number[]): Shares {
  if (ages.length === 1) return SINGLE;
  return {
    first: SHARES.first(ages),
    last: SHARES.last(ages),
    linear: SHARES.linear(ages),
    position: SHARES.position(ages),
    timeDecay: SHARES.timeDecay(ages),
  };
}
