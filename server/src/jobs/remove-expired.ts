import type { Deps } from '../shared/deps.ts';
import { handlersOf, type JobResult } from './handlers.ts';
import { deleteJobs, lockExpiredJobs } from './queries.ts';

/** Removes jobs that have expired, after what they made: should this be broken off, it is done again. Returns how many. */
export function removeExpiredJobs(deps: Deps): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const expired = await lockExpiredJobs(tx, new Date(deps.clock()));
    for (const { type, result } of expired) {
      const handler = handlersOf(deps).get(type);
      if (result) await handler?.discard?.(result as JobResult);
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
