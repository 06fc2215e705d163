import type { Worker } from './deps.ts';
import type { Logger } from './log.ts';

export interface PeriodicWorker extends Worker {
  /** Does it as soon as it is not under way, where the worker was started. */
  now(): void;
}

/** Does `work` now and then for as long as the service runs, never twice at once. A failure is logged; the next time comes. */
export function periodically(
  everyMs: number,
  name: string,
  log: Logger,
  work: (signal: AbortSignal) => Promise<unknown>,
): PeriodicWorker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  let again = false;
  const stopping = new AbortController();
  const run = () => {
    running ??= work(stopping.signal)
      .catch((error) => stopping.signal.aborted || log.warn({ err: error }, `failed: ${name}`))
      .finally(() => {
        running = undefined;
        if (again && !stopping.signal.aborted) run();
        again = false;
      });
  };
  return {
    start() {
      timer = setInterval(run, everyMs).unref();
    },
    now() {
      if (timer === undefined || stopping.signal.aborted) return;
      again = running !== undefined;
      run();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
