import type { Deps } from '../../shared/deps.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { Cells } from '../cells.ts';
import { continueMove } from './move-account.ts';
import { listStoppedMoves } from './queries.ts';

const CHECK_MS = 2_000;

/** Carries out moves that an operator started, and continues those whose process is gone. */
export function movesWorker(deps: Pick<Deps, 'control' | 'secret' | 'clock' | 'log'>, cells: Pick<Cells, 'isSingle'>) {
  const stopping = Promise.withResolvers<void>();
  const loop = workerLoop({
    name: 'continue a move of an account',
    log: deps.log,
    everyMs: CHECK_MS,
    async run(signal) {
      if (cells.isSingle) return;
      for (const { account_id } of await listStoppedMoves(deps.control, { now: new Date(deps.clock()) })) {
        if (signal.aborted) return;
        // A move may take hours. What this process leaves, another one continues, as after a crash.
        const isDone = await Promise.race([continueMove(deps, account_id), stopping.promise]);
        if (isDone) deps.log.info({ accountId: account_id }, 'a move of an account was finished');
      }
    },
  });
  const stop = () => {
    stopping.resolve();
    return loop.stop();
  };
  return { ...loop, stop } satisfies WorkerLoop;
}
