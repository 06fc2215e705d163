import { DAY, MINUTE } from '../../shared/units.ts';
import type { Platform } from '../platforms/platform.ts';

/** Limits requests to a platform: a second's worth of its limit of a minute, and an hour's of a day's, may be made at once. */
export class RequestRate {
  readonly #limits: { perMs: number; burst: number; available: number }[];
  readonly #clock: () => number;
  #at: number;

  constructor(
    { requestsPerMinute, requestsPerDay }: Pick<Platform, 'requestsPerMinute' | 'requestsPerDay'>,
    clock = () => performance.now(),
  ) {
    this.#limits = [limit(requestsPerMinute / MINUTE, requestsPerMinute / 60)];
    if (requestsPerDay !== undefined) this.#limits.push(limit(requestsPerDay / DAY, requestsPerDay / 24));
    this.#clock = clock;
    this.#at = clock();
  }

  /** Takes one request, if the limits allow it now. */
  take(): boolean {
    const now = this.#clock();
    for (const each of this.#limits) {
      each.available = Math.min(each.burst, each.available + (now - this.#at) * each.perMs);
    }
    this.#at = now;
    if (this.#limits.some(({ available }) => available < 1)) return false;
    for (const each of this.#limits) each.available--;
    return true;
  }
}

function limit(perMs: number, burst: number) {
  const atLeastOne = Math.max(1, burst);
  return { perMs, burst: atLeastOne, available: atLeastOne };
}
