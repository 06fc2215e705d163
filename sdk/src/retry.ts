/** How often the client retries, and how long it waits. */
export interface RetryPolicy {
  /** The number of retries. */
  attempts: number;
  /** The longest acceptable delay in milliseconds. A longer `Retry-After` ends the retries. */
  maxDelayMs: number;
}

export const RETRY: RetryPolicy = { attempts: 3, maxDelayMs: 60_000 };

const FIRST_DELAY_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/** How an attempt failed. `status` is 0 if there was no response. */
export interface Failure {
  status: number;
  /** The `Retry-After` header. */
  retryAfter: string | null;
}

/**
 * Returns the milliseconds to wait before the next attempt; undefined if there should be none.
 *
 * A request that got a 429 had no effect, so it can always be retried. After other failures it may have had one, so only
 * repeatable requests are retried.
 */
export function retryDelay(
  { status, retryAfter }: Failure,
  attempt: number,
  isRepeatable: boolean,
  policy: RetryPolicy,
  now = Date.now(),
  random = Math.random(),
): number | undefined {
  const canRetry = status === 429 || (isRepeatable && (status === 0 || status === 408 || status >= 500));
  if (!canRetry || attempt >= policy.attempts) return undefined;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_BACKOFF_MS) * (0.5 + random / 2);
  const after = Math.max(0, retryAfterMs(retryAfter, now) ?? 0);
  if (Math.max(after, backoff) > policy.maxDelayMs) return undefined;
  // Clients that are refused together do not return together.
  return after + backoff;
}

/** Parses `Retry-After`, which is in seconds or a date, as milliseconds. */
function retryAfterMs(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return seconds * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : date - now;
}

/** @throws the reason of the signal as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
