import type { Deps } from '../../shared/deps.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { Cells } from '../cells.ts';
import { continueMove } from './move-account.ts';
import { listStoppedMoves } from './queries.ts';

const CHECK_MS = 2_000;

/** Continues moves whose process is gone. */
export function movesWorker(deps: Deps, cells: Cells): WorkerLoop {
  return workerLoop({
    name: 'continue a move of an account',
    log: deps.log,
    everyMs: CHECK_MS,
    async run(signal) {
      if (cells.isSingle) return;
      for (const { account_id } of await listStoppedMoves(deps.control, { now: new Date(deps.clock()) })) {
        if (signal.aborted) return;
        const isDone = await continueMove(deps, account_id);
        if (isDone) deps.log.info({ accountId: account_id }, 'a move of an account was finished');
      }
    },
  });
}
