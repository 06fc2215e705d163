/** How much work may be done at a constant rate. What was not done is made up for, up to a limit; what was too much is waited for. */
export class Allowance {
  readonly #perMs: number;
  readonly #most: number;
  #left = 0;
  #at = performance.now();

  /** @param most that can be made up for at once */
  constructor(perSecond: number, most: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
  }

  left(now = performance.now()): number {
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#left;
  }

  take(count: number): void {
    this.#left -= count;
  }

  /** Milliseconds until `count` is left. */
  timeUntil(count: number, now = performance.now()): number {
    return Math.max(0, (count - this.left(now)) / this.#perMs);
  }
}
