const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** From the end of each failed attempt to the next one. After the last delay, the delivery has failed. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const JITTER = 0.1;
const MAX_RETRY_AFTER = 24 * HOUR;

/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER = '5 days';

/**
 * Milliseconds from the `tries`-th failure to the next attempt, or undefined if there is none. A longer `Retry-After` is
 * honored, up to a day.
 * @param random from 0 to 1: spreads deliveries that failed together by 10 % in both directions
 */
export function retryDelay(tries: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const delay = DELAYS[tries - 1];
  if (delay === undefined) return undefined;
  const requested = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER);
  return Math.round(Math.max(delay * (1 - JITTER + 2 * JITTER * random), requested));
}

/** A `Retry-After` header (seconds or a date) in milliseconds from `now`; undefined if it is neither. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  // `Date.parse` also reads texts that are not HTTP dates, such as "1.5".
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
