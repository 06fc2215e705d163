import type { Rate } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { Clock } from '../time.ts';

interface Bucket {
  /** Of this process: its share of those of all. Below zero: used by a batch, and owed. */
  tokens: number;
  at: number;
  /** The part of the limit that this process may use; 1 if it is alone. */
  share: number;
  /** undefined until there are several processes. */
  usage: Usage | undefined;
}

/** What this process has used since it last exchanged that with the others. */
interface Usage {
  spent: number;
  /** As `spent`, with what was refused. */
  attempts: number;
  at: number;
  /** Attempts of the last second or so, as of the last exchange. */
  demand: number;
  exchangedAt: number;
}

export interface Verdict {
  allowed: boolean;
  /** Whole requests that may be made now. */
  remaining: number;
  /** Seconds until the bucket is full, or, if refused, until the next request may be made. */
  reset: number;
}

/** The processes that share limits. */
interface Sharing {
  /** How many there are. */
  readonly count: number;
  /** Requests an exchange. @param isUrgent the share of a key is not known yet */
  wake(isUrgent: boolean): void;
}

/** Used by one process since the last exchange. */
export interface KeyUse {
  key: string;
  spent: number;
  attempts: number;
}

/** Used by all processes. */
interface TotalUse {
  key: string;
  used: number;
  demand: number;
}

/** A process need not tell of less than this part of its even share, so that few keys are exchanged. */
const NEGLIGIBLE = 0.1;
/** This part is shared evenly, for processes whose load just begins. */
const EVEN_PART = 0.1;
/** After this long without an exchange shares are even again. */
const STALE_MS = 2_000;
/** Demand decreases to a third in this time. */
export const DEMAND_MS = 1_000;

/**
 * Token buckets, one per key, in the memory of this process: `perSecond` tokens are added, up to `burst`. Several processes
 * each use their share of a bucket, by their demand, which they exchange (`accounts/shared-limits.ts`).
 */
export class TokenBuckets {
  readonly rate: Rate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  #sharing: Sharing | undefined;
  /** Of buckets to exchange. */
  readonly #due = new Map<string, Bucket>();
  #sweepAt: number;

  constructor(rate: Rate, clock: Clock) {
    this.rate = rate;
    this.#clock = clock;
    this.#sweepAt = clock() + SWEEP_MS;
  }

  shareWith(sharing: Sharing): void {
    this.#sharing = sharing;
  }

  /** The verdict for the next request of a key that is used up; undefined if it may be made. */
  exhausted(key: string): Verdict | undefined {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return undefined;
    this.#refill(bucket, this.#clock());
    const tokens = bucket.tokens / bucket.share;
    if (tokens >= 1) return undefined;
    return { allowed: false, remaining: 0, reset: Math.ceil((1 - tokens) / this.rate.perSecond) };
  }

  /** @param cost how many requests this one counts as, at most the capacity of the bucket */
  take(key: string, cost = 1): Verdict {
    const now = this.#clock();
    if (now >= this.#sweepAt) this.#sweep(now);
    const { perSecond, burst } = this.rate;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: burst, at: now, share: 1, usage: undefined };
      this.#buckets.set(key, bucket);
    }
    this.#refill(bucket, now);
    const price = Math.min(cost, burst);
    // Of all processes, if they use their shares alike.
    let tokens = bucket.tokens / bucket.share;
    const allowed = tokens >= price;
    if (allowed) {
      bucket.tokens -= price;
      tokens = bucket.tokens / bucket.share;
    }
    if (this.#sharing && this.#sharing.count > 1) this.#record(key, bucket, price, allowed, this.#sharing);
    const missing = allowed ? burst - tokens : price - tokens;
    return { allowed, remaining: Math.max(0, Math.floor(tokens)), reset: Math.ceil(missing / perSecond) };
  }

  /** What was used since the last exchange, of keys that are used by more than a little. */
  collect(): KeyUse[] {
    const uses: KeyUse[] = [];
    for (const [key, { usage }] of this.#due) {
      if (!usage) continue;
      uses.push({ key, spent: usage.spent, attempts: usage.attempts });
      usage.spent = 0;
      usage.attempts = 0;
    }
    this.#due.clear();
    return uses;
  }

  /** Takes back what could not be exchanged. */
  restore(uses: readonly KeyUse[]): void {
    for (const { key, spent, attempts } of uses) {
      const bucket = this.#buckets.get(key);
      if (!bucket?.usage) continue;
      bucket.usage.spent += spent;
      bucket.usage.attempts += attempts;
      this.#due.set(key, bucket);
    }
  }

  /**
   * Applies the result of an exchange of `use`.
   * @returns whether the share of a key is still unknown, as this was its first exchange
   */
  apply(use: KeyUse, { used, demand }: TotalUse): boolean {
    const bucket = this.#buckets.get(use.key);
    const count = this.#sharing?.count ?? 1;
    if (!bucket?.usage || count === 1) return false;
    const now = this.#clock();
    const { usage } = bucket;
    const isFirst = now - usage.exchangedAt > STALE_MS;
    usage.demand = (isFirst ? 0 : usage.demand * Math.exp((usage.exchangedAt - now) / DEMAND_MS)) + use.attempts;
    usage.exchangedAt = now;
    // The first one to tell of a key does not know of the others yet.
    const part = isFirst ? 1 / count : Math.min(1, usage.demand / demand);
    bucket.share = (1 - EVEN_PART) * part + EVEN_PART / count;
    bucket.tokens = (this.rate.burst - used) * bucket.share - usage.spent;
    bucket.at = now;
    return isFirst;
  }

  #refill(bucket: Bucket, now: number): void {
    const { perSecond, burst } = this.rate;
    const count = this.#sharing?.count ?? 1;
    const isKnown = count > 1 && bucket.usage !== undefined && now - bucket.usage.exchangedAt < STALE_MS;
    if (!isKnown && bucket.share !== 1 / count) {
      bucket.tokens /= bucket.share * count;
      bucket.share = 1 / count;
    }
    const { share } = bucket;
    bucket.tokens = Math.min(burst * share, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond * share) / 1000);
    bucket.at = now;
  }

  #record(key: string, bucket: Bucket, price: number, allowed: boolean, { count, wake }: Sharing): void {
    const { perSecond, burst } = this.rate;
    const now = bucket.at;
    bucket.usage ??= { spent: 0, attempts: 0, at: now, demand: 0, exchangedAt: Number.NEGATIVE_INFINITY };
    const { usage } = bucket;
    const isKnown = now - usage.exchangedAt < STALE_MS;
    if (!isKnown) {
      const ignored = ((now - usage.at) / 1000) * (perSecond / count) * NEGLIGIBLE;
      usage.spent = Math.max(0, usage.spent - ignored);
      usage.attempts = Math.max(0, usage.attempts - ignored);
    }
    usage.at = now;
    usage.attempts += price;
    if (allowed) usage.spent += price;
    if (!isKnown && allowed && usage.spent < (burst / count) * NEGLIGIBLE) return;
    this.#due.set(key, bucket);
    wake(!isKnown);
  }

  /** Removes full buckets, so that memory follows the keys in use. */
  #sweep(now: number): void {
    const full = (this.rate.burst / this.rate.perSecond) * 1000;
    for (const [key, bucket] of this.#buckets) if (now - bucket.at > full) this.#buckets.delete(key);
    this.#sweepAt = now + SWEEP_MS;
  }
}

const SWEEP_MS = 10_000;

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(name: string, rate: Rate, verdict: Verdict): Record<string, string> {
  const window = Math.max(1, Math.ceil(rate.burst / rate.perSecond));
  return {
    'ratelimit-policy': `"${name}";q=${rate.burst};w=${window}`,
    ratelimit: `"${name}";r=${verdict.remaining};t=${verdict.reset}`,
  };
}

export function tooManyRequests(verdict: Verdict): ApiError {
  return new ApiError(429, 'rate_limited', 'Too many requests. Retry after the time in Retry-After.', {
    headers: { 'retry-after': String(Math.max(1, verdict.reset)) },
  });
}

/** The unit of limits per address: an IPv4 address, or the /64 of an IPv6 address, which one subscriber controls. */
export function networkOf(ip: string | undefined): string {
  // A client that has disconnected has no address.
  if (!ip?.includes(':')) return ip ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = ip.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':').length : 0;
  while (tail !== undefined && groups.length < 8 - behind) groups.push('0');
  return groups.slice(0, 4).join(':');
}
