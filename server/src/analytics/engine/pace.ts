import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** While requests keep the service busy, a thread works for the first and pauses for the second of these, in milliseconds. */
const WORK_MS = 5;
const PAUSE_MS = 20;
/** A report is not delayed longer by pauses, so that it is in time. */
const MAX_PAUSES_MS = 2_000;

/** From this share of its time on the event loop of the service is busy: one that waits for a processor looks half idle. */
const BUSY = 0.3;
/** From this share of its time it waits for a processor: where there are enough, reports need not pause (measured: 0.03; else 0.26). */
const WAITING = 0.1;
const LOOK_MS = 50;

/**
 * Lets requests go before reports: those who record events would otherwise share the processors with someone who looks at a large
 * account. A lower priority of the thread (nice) changed little.
 */
export class Pace {
  readonly #busy: Int32Array;
  readonly #maxMs: number;
  #since = 0;
  #paused = 0;

  /** @param busy shared with the `BusyWatch` of the service */
  constructor(busy: Int32Array, maxMs = MAX_PAUSES_MS) {
    this.#busy = busy;
    this.#maxMs = maxMs;
  }

  startReport(): void {
    this.#since = performance.now();
    this.#paused = 0;
  }

  /** How long this report has paused, in milliseconds. */
  get pausedMs(): number {
    return this.#paused;
  }

  /** Called after a small part of the work. */
  step(): void {
    if (Atomics.load(this.#busy, 0) === 0 || this.#paused >= this.#maxMs) return;
    if (performance.now() - this.#since < WORK_MS) return;
    // Ends early when the service is no longer busy.
    Atomics.wait(this.#busy, 0, 1, PAUSE_MS);
    this.#paused += PAUSE_MS;
    this.#since = performance.now();
  }
}

/** For how long the main thread of this process has waited for a processor, in milliseconds. Undefined: the system does not say. */
function waitedMs(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return undefined;
  }
}

/** Tells threads whether the event loop of the service is busy and lacks a processor, while there are reports. */
export class BusyWatch {
  readonly busy = new Int32Array(new SharedArrayBuffer(4));
  readonly #waitedMs: () => number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(waited = waitedMs) {
    this.#waitedMs = waited;
  }

  start(): void {
    if (this.#timer) return;
    const look = () => ({ at: performance.now(), loop: performance.eventLoopUtilization(), waited: this.#waitedMs() });
    let last = look();
    this.#timer = setInterval(() => {
      const now = look();
      const isBusy = performance.eventLoopUtilization(now.loop, last.loop).utilization >= BUSY;
      const isWaiting = now.waited === undefined || now.waited - (last.waited ?? 0) >= (now.at - last.at) * WAITING;
      this.#set(isBusy && isWaiting);
      last = now;
    }, LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#set(false);
  }

  #set(isBusy: boolean): void {
    Atomics.store(this.busy, 0, isBusy ? 1 : 0);
    if (!isBusy) Atomics.notify(this.busy, 0);
  }
}
