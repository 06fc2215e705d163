import type { Worker } from './deps.ts';
import type { Logger } from './log.ts';

/** Does `work` now and then for as long as the service runs, never twice at once. A failure is logged; the next time comes. */
export function periodically(everyMs: number, name: string, log: Logger, work: () => Promise<unknown>): Worker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  const run = () => {
    running ??= work()
      .catch((error) => log.warn({ err: error }, `failed: ${name}`))
      .finally(() => {
        running = undefined;
      });
  };
  return {
    start() {
      timer = setInterval(run, everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
