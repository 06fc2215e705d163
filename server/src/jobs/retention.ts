const KEEP_MS = 7 * 24 * 3_600_000;

/** When a job that ends at `now` is forgotten, with what it made. */
export function expiryOf(now: number): Date {
  return new Date(now + KEEP_MS);
}
