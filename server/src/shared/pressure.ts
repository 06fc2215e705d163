const WINDOW_MS = 200;
/** Requests that share a commit when they arrive faster than they could be committed one by one. */
const HIGH = 12;
/** Fewer requests per second than this are not a load, however they arrive. */
const LEAST_PER_SECOND = 2_000;

/** Whether requests are queueing for commits; background work that can wait does so meanwhile. Requests count as events. */
export class Pressure {
  #since = 0;
  #batches = 0;
  #requests = 0;
  #isHigh = false;

  /** Records a commit and how many requests shared it. */
  record(requests: number): void {
    this.#turn();
    this.#batches++;
    this.#requests += requests;
  }

  get isHigh(): boolean {
    this.#turn();
    return this.#isHigh;
  }

  #turn(): void {
    const now = performance.now();
    if (now - this.#since < WINDOW_MS) return;
    const passed = now - this.#since;
    const isMany = this.#requests * 1000 >= LEAST_PER_SECOND * passed;
    this.#isHigh = isMany && this.#requests >= HIGH * this.#batches;
    this.#since = now;
    this.#batches = 0;
    this.#requests = 0;
  }
}
