import type { Rate } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { Clock } from '../time.ts';

interface Bucket {
  tokens: number;
  at: number;
}

export interface Verdict {
  allowed: boolean;
  /** Whole requests that may be made now. */
  remaining: number;
  /** Seconds until the bucket is full, or, if refused, until the next request may be made. */
  reset: number;
}

/** Token buckets, one per key, in the memory of this process: `perSecond` tokens are added, up to `burst`. */
export class TokenBuckets {
  readonly rate: Rate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt: number;

  constructor(rate: Rate, clock: Clock) {
    this.rate = rate;
    this.#clock = clock;
    this.#sweepAt = clock() + SWEEP_MS;
  }

  /** The verdict for the next request of a key that is used up; undefined if it may be made. */
  exhausted(key: string): Verdict | undefined {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return undefined;
    const tokens = bucket.tokens + (Math.max(0, this.#clock() - bucket.at) * this.rate.perSecond) / 1000;
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
      bucket = { tokens: burst, at: now };
      this.#buckets.set(key, bucket);
    } else {
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond) / 1000);
      bucket.at = now;
    }
    const price = Math.min(cost, burst);
    if (bucket.tokens < price) {
      return {
        allowed: false,
        remaining: Math.floor(bucket.tokens),
        reset: Math.ceil((price - bucket.tokens) / perSecond),
      };
    }
    bucket.tokens -= price;
    return {
      allowed: true,
      remaining: Math.floor(bucket.tokens),
      reset: Math.ceil((burst - bucket.tokens) / perSecond),
    };
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
