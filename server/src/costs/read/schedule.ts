import { enqueueJob } from '../../jobs/index.ts';
import type { Deps, Worker } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import { HOUR } from '../../shared/units.ts';
import { workerLoop } from '../../shared/worker-loop.ts';
import { takeDueSources } from '../manage/queries.ts';
import { READ_JOB, type ReadParams } from './read-job.ts';

const POLL_MS = 20_000;
const AT_ONCE = 100;

/** Starts the job of each source that is due. Jobs take turns by account, and survive the end of a process. */
export function readWorker(deps: Deps): Worker {
  return workerLoop({
    name: 'read what ads cost',
    log: deps.log,
    everyMs: POLL_MS,
    runAtStart: true,
    run: () => startDueReads(deps),
  });
}

/** Returns whether there may be more. */
function startDueReads(deps: Deps): Promise<boolean> {
  const now = deps.clock();
  return deps.db.transaction(async (tx) => {
    const due = { now: new Date(now), next: new Date(now + HOUR), limit: AT_ONCE };
    const taken = await takeDueSources(tx, due);
    for (const { account_id, id } of taken) {
      const params: ReadParams = { costSourceId: publicId('cst', id) };
      await enqueueJob(deps, tx, account_id, READ_JOB, params);
    }
    return taken.length === AT_ONCE;
  });
}
