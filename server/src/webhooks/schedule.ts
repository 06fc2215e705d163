const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** From the end of each failed attempt to the next; after the last there is none. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const JITTER = 0.1;
const LONGEST = 24 * HOUR;

/**
 * How many milliseconds after its `tries`-th failure a delivery is attempted again, or undefined where it is given up.
 * An endpoint that asks by `Retry-After` for a longer pause is given it, up to a day.
 * @param random 0 to 1: spreads what failed together by a tenth to both sides
 */
export function retryDelay(tries: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const delay = DELAYS[tries - 1];
  if (delay === undefined) return undefined;
  const asked = Math.min(retryAfterMs ?? 0, LONGEST);
  return Math.round(Math.max(delay * (1 - JITTER + 2 * JITTER * random), asked));
}

/** `Retry-After` in milliseconds from now: seconds, or a date. Undefined for anything else. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** An endpoint that has known nothing but failures for so long is disabled. */
export const GIVE_UP_MS = 5 * 24 * HOUR;
