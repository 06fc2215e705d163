import { isoTime } from '../shared/time.ts';
import { MINUTE, SECOND } from '../shared/units.ts';
import type { Failing } from './contract.ts';

/** After the first failure, the second and so on; then the last one again. */
const PAUSES_MS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE];
const MAX_MESSAGE = 500;

/** Does something once in an interval; what failed is tried again soon, and then after growing pauses. */
export class Attempts {
  /** Since the first of the failures that no success has ended. */
  failing: Failing | null = null;
  readonly #clock: () => number;
  readonly #everyMs: number;
  #failures = 0;
  #nextAt = 0;

  constructor(clock: () => number, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** The next call does not wait. */
  dueNow(): void {
    this.#nextAt = 0;
  }

  /** Does the work if it is due. Its error is thrown. */
  async run(work: () => Promise<unknown>): Promise<void> {
    if (this.#clock() < this.#nextAt) return;
    this.#nextAt = this.#clock() + this.#everyMs;
    try {
      await work();
      this.#failures = 0;
      this.failing = null;
    } catch (error) {
      const now = this.#clock();
      this.#nextAt = now + (PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)] ?? 0);
      this.failing = {
        since: this.failing?.since ?? isoTime(now),
        error: (error as Error).message.slice(0, MAX_MESSAGE),
        nextAttemptAt: isoTime(this.#nextAt),
      };
      throw error;
    }
  }
}
