/** What a visitor is assigned by: an experiment as the service returns it. */
export interface AssignedExperiment {
  key: string;
  variants: readonly { key: string; weight: number }[];
  /** The share of visitors that take part. */
  coverage: number;
  /** Experiments of the same namespace whose visitors it leaves out. */
  preceding?: readonly AssignedExperiment[];
  /** The share of visitors that sees the first variant for ever. */
  holdout?: number;
  /** What everybody else sees once it was shipped. */
  shippedVariant?: string | null;
}

/** The 32-bit FNV-1a hash over UTF-16 code units. */
function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// Rounded, because 0.1 + 0.2 is slightly more than 0.3.
const boundary = (share: number) => Math.round(share * 10_000 * 1e6) / 1e6;

/**
 * The variant of a visitor, or null if they do not take part: a pure function, the same as in the page script and in the service. It records
 * nothing: when the variant is used, record the event `experiment_exposure`.
 */
export function assign(experiment: AssignedExperiment, visitorId: string): string | null {
  const { key, variants, coverage, preceding, holdout = 0, shippedVariant = null } = experiment;
  const isHeld = holdout > 0 && bucketOf(`${key}:holdout`, visitorId) < holdout * 10_000;
  if (shippedVariant !== null) return isHeld ? (variants[0]?.key ?? null) : shippedVariant;
  if (isHeld || preceding?.some((other) => assign(other, visitorId) !== null)) return null;
  const bucket = bucketOf(key, visitorId);
  let before = 0;
  for (const variant of variants) {
    if (bucket >= boundary(before) && bucket < boundary(before + coverage * variant.weight)) return variant.key;
    before += variant.weight;
  }
  return null;
}

const bucketOf = (key: string, visitorId: string) => fnv1a32(String(fnv1a32(key + visitorId))) % 10_000;
