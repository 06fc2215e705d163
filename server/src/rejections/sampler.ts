/** A burst of rejections is stored, then one every ten seconds. */
const BURST = 20;
const INTERVAL_MS = 10_000;
const MAX_ACCOUNTS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
  skipped: number;
}

/** Decides which rejections of an account are stored, in constant memory. */
export class Sampler {
  readonly #buckets = new Map<string, Bucket>();

  /** How many were skipped before this one; undefined: this one is skipped, too. */
  take(accountId: string, now: number): number | undefined {
    const known = this.#buckets.get(accountId);
    // Those that were used last stay.
    this.#buckets.delete(accountId);
    if (this.#buckets.size >= MAX_ACCOUNTS) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    const bucket = known ?? { tokens: BURST, at: now, skipped: 0 };
    this.#buckets.set(accountId, bucket);
    bucket.tokens = Math.min(BURST, bucket.tokens + Math.max(0, now - bucket.at) / INTERVAL_MS);
    bucket.at = now;
    if (bucket.tokens < 1) {
      bucket.skipped++;
      return undefined;
    }
    bucket.tokens--;
    const { skipped } = bucket;
    bucket.skipped = 0;
    return skipped;
  }
}
