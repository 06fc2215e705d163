import type { Deps } from '../shared/deps.ts';
import { handlersOf, type JobResult } from './handlers.ts';
import { lockFinishedJobs, markExpired, restartJobs, wakeRunners } from './queries.ts';

/**
 * Removes what an account's jobs of a type have made so far: of those that are done, whose results then say `expired`,
 * and of those that run, which begin again. Should this be broken off, it may be done again.
 */
export async function expireResults(deps: Deps, accountId: string, type: string): Promise<void> {
  const { db } = deps;
  await db.transaction(async (tx) => {
    if ((await restartJobs(tx, accountId, type)).length > 0) await wakeRunners(tx);
  });
  const handler = handlersOf(deps).get(type);
  const expireSome = () =>
    db.transaction(async (tx) => {
      const finished = await lockFinishedJobs(tx, accountId, type);
      for (const { result } of finished) await handler?.discard?.(result as JobResult);
      await markExpired(
        tx,
        accountId,
        finished.map(({ id }) => id),
      );
      return finished.length;
    });
  while ((await expireSome()) > 0);
}
