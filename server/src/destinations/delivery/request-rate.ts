/** Limits requests to a platform: a second's worth may be made at once. */
export class RequestRate {
  readonly #perMs: number;
  readonly #burst: number;
  #available: number;
  #at = performance.now();

  constructor(requestsPerMinute: number) {
    this.#perMs = requestsPerMinute / 60_000;
    this.#burst = Math.max(1, requestsPerMinute / 60);
    this.#available = this.#burst;
  }

  /** Takes one request, if the limit allows it now. */
  take(): boolean {
    const now = performance.now();
    this.#available = Math.min(this.#burst, this.#available + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#available < 1) return false;
    this.#available--;
    return true;
  }
}
