import { BUCKETS, bucketOf, variantOfBucket } from '../statistics/index.ts';
import type { Assigned, Assignment } from './contract.ts';

/** What of an experiment decides the variant of a visitor. */
interface Assigning extends Assigned {
  /** Whoever has a variant of one of these has none of this one. */
  preceding?: readonly Assigned[];
  shippedVariant?: string | null;
}

/** Whether a visitor belongs to the share that sees the first variant for ever. Independent of the buckets of variants. */
export const isHeld = ({ key, holdout = 0 }: Assigned, visitorId: string): boolean =>
  holdout > 0 && bucketOf(`${key}:holdout`, visitorId) < holdout * BUCKETS;

/** The variant of a visitor: a pure function, the same in the script (`tracker/src/variant.ts`) and in the SDK (`sdk/src/assign.ts`). */
export function assign(experiment: Assigning, visitorId: string): Assignment {
  const { key, variants, coverage, preceding = [], shippedVariant = null } = experiment;
  const bucket = bucketOf(key, visitorId);
  const held = isHeld(experiment, visitorId);
  if (shippedVariant !== null) return { bucket, variant: held ? (variants[0]?.key ?? null) : shippedVariant };
  const isTaken = held || preceding.some((other) => assign(other, visitorId).variant !== null);
  const index = variantOfBucket(
    bucket,
    variants.map(({ weight }) => weight),
    coverage,
  );
  return { bucket, variant: isTaken ? null : (variants[index]?.key ?? null) };
}
