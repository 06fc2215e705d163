import type { Logger } from './log.ts';
import { backgroundWork, runAs } from './postgres/work.ts';
import type { Pressure } from './pressure.ts';

/** Background work of a process. */
export interface Worker {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

interface WorkerLoopOptions {
  /** What the worker does, for the log: `index fields`. */
  name: string;
  log: Logger;
  /** Between two runs if `wake` is not called. */
  everyMs: number;
  /** Whether the first run comes with `start` or after `everyMs`. */
  runAtStart?: boolean;
  /** Does some work; never called twice at the same time. Returning true means that there is more to do at once. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface WorkerLoop extends Worker {
  /** Runs as soon as possible, once the worker was started. */
  wake(): void;
}

/** Runs `run` every so often and whenever it is woken, until it is stopped. A failure is logged; the next run comes. */
export function workerLoop({ name, log, everyMs, runAtStart = false, run }: WorkerLoopOptions): WorkerLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isDue = false;

  async function runWhileDue(): Promise<void> {
    while (isDue && !signal.aborted) {
      isDue = false;
      try {
        if ((await run(signal)) === true) isDue = true;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `failed to ${name}`);
      }
    }
    // Not in a callback of the promise: a wake in between would be lost.
    running = undefined;
  }

  const wake = () => {
    if (timer === undefined || signal.aborted) return;
    isDue = true;
    // Not for the request that wakes it.
    running ??= runAs(backgroundWork(), runWhileDue);
  };

  return {
    start() {
      timer = setInterval(wake, everyMs).unref();
      if (runAtStart) wake();
    },
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error('the service is stopping'));
      await running;
    },
  };
}

/** While requests queue for commits, a run of a `patientLoop` waits at most this long. */
export const MAX_POSTPONED_MS = 20_000;

interface PatientLoopOptions extends Omit<WorkerLoopOptions, 'runAtStart'> {
  pressure: Pressure;
  /** How long it pauses after a run of `ms`. */
  pauseAfter(ms: number): number;
}

/** A loop that takes little from requests: it pauses after each run, and waits while requests queue for commits. */
export function patientLoop({ pressure, pauseAfter, run, ...options }: PatientLoopOptions): WorkerLoop {
  let notBefore = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  return workerLoop({
    ...options,
    async run(signal) {
      const start = performance.now();
      if (start < notBefore || (pressure.isHigh && start - lastStart < MAX_POSTPONED_MS)) return;
      lastStart = start;
      await run(signal).finally(() => {
        const now = performance.now();
        notBefore = now + pauseAfter(now - start);
      });
    },
  });
}
