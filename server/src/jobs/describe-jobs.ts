import type { Deps } from '../shared/deps.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { answerJob } from './answer-job.ts';
import { findJobs } from './queries.ts';

/** Jobs by their UUID, as they are answered; those that were forgotten are missing. */
export async function describeJobs(deps: Deps, tx: Tx, jobs: readonly { accountId: string; id: string }[]) {
  const rows = await findJobs(
    tx,
    jobs.map(({ accountId }) => accountId),
    jobs.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.id, answerJob(deps, row)]));
}
