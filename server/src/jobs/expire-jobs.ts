import type { Deps } from '../shared/deps.ts';
import { DAY } from '../shared/units.ts';
import type { JobHandler, JobHandlers } from './handler.ts';
import { deleteJobs, lockCompletedJobs, lockExpiredJobs, markExpired, restartJobs, wakeRunners } from './queries.ts';

const KEEP_MS = 7 * DAY;

/** When a job that finished at `now` is deleted, with what it created. */
export function expiryOf(now: number): Date {
  return new Date(now + KEEP_MS);
}

/** Deletes expired jobs and first what they created; a crash in between repeats it. Returns how many there were. */
export function deleteExpiredJobs({ db, clock, log }: Deps, handlers: JobHandlers): Promise<number> {
  return db.transaction(async (tx) => {
    const expired = await lockExpiredJobs(tx, { now: new Date(clock()) });
    for (const { id, type, result } of expired) {
      try {
        if (result) await handlers[type]?.discard?.(result);
      } catch (error) {
        // One result that cannot be removed must not keep all others.
        log.warn({ err: error, job: id, type }, 'the result of an expired job was not removed');
      }
    }
    if (expired.length > 0) await deleteJobs(tx, { jobs: expired });
    return expired.length;
  });
}

/**
 * Removes the results of an account's jobs of one type: completed jobs keep a result marked `expired`, running ones start
 * again. May be interrupted and repeated.
 */
export async function expireResults(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  type: string,
  handler: Pick<JobHandler, 'discard'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await restartJobs(tx, { account_id: accountId, type })).length > 0) await wakeRunners(tx);
  });
  const expireSome = () =>
    db.transaction(async (tx) => {
      const completed = await lockCompletedJobs(tx, { account_id: accountId, type });
      for (const { result } of completed) if (result) await handler.discard?.(result);
      await markExpired(tx, { account_id: accountId, ids: completed.map(({ id }) => id) });
      return completed.length;
    });
  while ((await expireSome()) > 0);
}
