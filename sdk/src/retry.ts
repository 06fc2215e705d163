/** How often, and how long at most, the client waits for the service to take a request again. */
export interface RetryPolicy {
  /** Further attempts after the first. */
  attempts: number;
  /** What asks for a longer pause is not waited for, in milliseconds. */
  maxDelayMs: number;
}

export const RETRY: RetryPolicy = { attempts: 3, maxDelayMs: 60_000 };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** How an attempt failed: `status` 0 where no answer came. */
export interface Failure {
  status: number;
  /** The answer's `Retry-After`. */
  retryAfter: string | null;
}

/**
 * Milliseconds to wait before the next attempt; undefined where there is to be none.
 *
 * A 429 was not carried out, so it may always be tried again. After any other failure the request may have been, and only
 * one that is harmless to repeat is.
 */
export function pauseBeforeRetry(
  { status, retryAfter }: Failure,
  attempt: number,
  isRepeatable: boolean,
  policy: RetryPolicy,
  now = Date.now(),
  random = Math.random(),
): number | undefined {
  const isWorthIt = status === 429 || (isRepeatable && (status === 0 || status === 408 || status >= 500));
  if (!isWorthIt || attempt >= policy.attempts) return undefined;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + random / 2);
  const pause = Math.max(asked(retryAfter, now) ?? 0, backoff);
  return pause > policy.maxDelayMs ? undefined : pause;
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function asked(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return seconds * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : date - now;
}

/** @throws the signal's reason as soon as it is aborted */
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
