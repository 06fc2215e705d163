/** How the sessions that led to a conversion share it. */
export const MODELS = ['first', 'last', 'linear', 'position', 'timeDecay'] as const;
export type Model = (typeof MODELS)[number];

/** For each session, the first one first. */
export type Shares = Record<Model, readonly number[]>;

const ALONE: Shares = { first: [1], last: [1], linear: [1], position: [1], timeDecay: [1] };

const HALF_LIFE_S = 7 * 86_400;

/**
 * What part of a conversion each session is given by each model: parts of 1.
 * @param before how many seconds before the conversion each of them began, the first one first
 */
export function sharesOf(before: readonly number[]): Shares {
  const n = before.length;
  if (n === 1) return ALONE;
  // Against the last, so that none vanishes.
  const decay = before.map((seconds) => 2 ** (-(Math.max(seconds, 0) - Math.max(before[n - 1] ?? 0, 0)) / HALF_LIFE_S));
  const sum = decay.reduce((a, b) => a + b, 0);
  const between = 0.2 / (n - 2);
  const end = n === 2 ? 0.5 : 0.4;
  return {
    first: before.map((_, i) => (i === 0 ? 1 : 0)),
    last: before.map((_, i) => (i === n - 1 ? 1 : 0)),
    linear: before.map(() => 1 / n),
    position: before.map((_, i) => (i === 0 || i === n - 1 ? end : between)),
    timeDecay: decay.map((part) => part / sum),
  };
}
