import type { Deps } from './deps.ts';

const WINDOW_MS = 200;
/** Requests that share a commit where they arrive faster than they could be committed one by one. */
const HIGH = 12;
/** Fewer than so many a second are no load, however they come. */
const LEAST_PER_SECOND = 2_000;

/** Whether requests are queueing for commits: then work that can wait does. */
export class Pressure {
  #since = 0;
  #batches = 0;
  #requests = 0;
  #isHigh = false;

  /** Told of each commit that requests shared, and how many they were. */
  note(requests: number): void {
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

const pressures = new WeakMap<Deps, Pressure>();

/** The one of the service that `deps` belong to. */
export function pressureOf(deps: Deps): Pressure {
  const known = pressures.get(deps) ?? new Pressure();
  pressures.set(deps, known);
  return known;
}
