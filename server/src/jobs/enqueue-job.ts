import type { Deps } from '../shared/deps.ts';
import { newUuid } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { answerJob } from './answer-job.ts';
import { insertJob, wakeRunners } from './queries.ts';

/** Queues a job in the caller's transaction: it runs if, and once, that is committed. Returns the job as it is answered. */
export async function enqueueJob(deps: Deps, tx: Tx, accountId: string, type: string, params: unknown) {
  const now = deps.clock();
  const [row] = await insertJob(tx, accountId, newUuid(now), type, params, new Date(now));
  if (!row) throw new Error('a job was inserted and not returned');
  await wakeRunners(tx);
  return answerJob(deps, row);
}
