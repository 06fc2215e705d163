/** The number of buckets that visitors are spread over. */
export const BUCKETS = 10_000;

/** The 32-bit FNV-1a hash over the UTF-16 code units of a text, as GrowthBook's SDKs compute it (hash version 2 applies it twice). */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The bucket of a visitor, from 0 to 9,999: that of GrowthBook's hash version 2 with the key of the experiment as its seed. */
export function bucketOf(experimentKey: string, visitorId: string): number {
  return fnv1a32(String(fnv1a32(experimentKey + visitorId))) % BUCKETS;
}

/** The index of the variant whose share holds a bucket; −1 if it is outside of the coverage. */
export function variantOfBucket(bucket: number, weights: readonly number[], coverage: number): number {
  let before = 0;
  for (const [i, weight] of weights.entries()) {
    // Rounded, because 0.1 + 0.2 is slightly more than 0.3.
    const start = Math.round(before * BUCKETS * 1e6) / 1e6;
    const end = Math.round((before + coverage * weight) * BUCKETS * 1e6) / 1e6;
    if (bucket >= start && bucket < end) return i;
    before += weight;
  }
  return -1;
}
