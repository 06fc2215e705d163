import type { Deps } from '../shared/deps.ts';
import { handlersOf, type JobResult } from './handlers.ts';
import { deleteJobs, lockExpiredJobs } from './queries.ts';

/** Removes jobs that have expired, what they made first: should the process die in between, it is done again. Returns how many. */
export function removeExpiredJobs(deps: Deps): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const expired = await lockExpiredJobs(tx, new Date(deps.clock()));
    for (const { id, type, result } of expired) {
      const handler = handlersOf(deps).get(type);
      try {
        if (result) await handler?.discard?.(result as JobResult);
      } catch (error) {
        // One that cannot be removed must not keep all others.
        deps.log.warn({ err: error, job: id, type }, 'what an expired job made was not removed');
      }
    }
    if (expired.length > 0) {
      await deleteJobs(
        tx,
        expired.map((row) => row.account_id),
        expired.map((row) => row.id),
      );
    }
    return expired.length;
  });
}
