import type { Author } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { newUuid } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { insertJob, wakeRunners } from './queries.ts';
import { serializeJob } from './serialize-job.ts';

/** Queues a job in the caller's transaction: it runs only if that commits. Returns the job as the API returns it. */
export async function enqueueJob(
  deps: Deps,
  tx: Tx,
  accountId: string,
  type: string,
  params: unknown,
  author?: Author,
) {
  const now = deps.clock();
  const [row] = await insertJob(tx, {
    account_id: accountId,
    id: newUuid(now),
    type,
    params: JSON.stringify(params),
    created_at: new Date(now),
    author_type: author?.type ?? null,
    author_id: author?.id ?? null,
  });
  if (!row) throw new Error('the job was not inserted');
  await wakeRunners(tx);
  return serializeJob(deps, row);
}
