import type { AssignedExperiment } from '../index.d.ts';

const hash = (text: string): number => {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
};

const boundary = (share: number) => Math.round(share * 1e10) / 1e6;

const bucketOf = (text: string) => hash(`${hash(text)}`) % 1e4;

/** Must agree with sdk/src/assign.ts, which explains it, and with server/src/experiments/assign.ts; a test compares them. */
export function assign(
  { key, variants, coverage, preceding, holdout, shippedVariant }: AssignedExperiment,
  visitorId: string,
  /** The shares before a variant: a parameter, as that is shorter. */
  before = 0,
): string | null | undefined {
  // Without a holdout, nothing is less than NaN.
  const isHeld = bucketOf(`${key}:holdout${visitorId}`) < (holdout as number) * 1e4;
  const bucket = bucketOf(key + visitorId);
  const isOf = ({ weight }: { weight: number }) =>
    // biome-ignore lint/suspicious/noAssignInExpressions: the snippet of experiments may have 1,024 bytes
    (bucket >= boundary(before) && bucket < boundary(before + coverage * weight)) || !(before += weight);
  // One expression, as that is shorter.
  return shippedVariant
    ? isHeld
      ? (variants[0] as { key: string }).key
      : shippedVariant
    : isHeld || preceding?.some((other) => assign(other, visitorId))
      ? null
      : variants.find(isOf)?.key;
}
