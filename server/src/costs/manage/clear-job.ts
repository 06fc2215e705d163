import { removeSomeReadCosts } from '../../analytics/index.ts';
import type { JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { sourceUuid } from './serialize.ts';

export const CLEAR_JOB = 'clear_cost_source';

export interface ClearParams {
  costSourceId: string;
}

/** Runs the jobs of type `clear_cost_source`: removes what a deleted source read. */
export function clearHandler({ db, clock }: Deps): JobHandler {
  return {
    async run({ accountId, params, signal }) {
      const { costSourceId } = params as ClearParams;
      for (let total = 0; ; ) {
        signal.throwIfAborted();
        const origin = { accountId, costSourceId: sourceUuid(costSourceId) };
        const { removed, isMore } = await db.transaction((tx) => removeSomeReadCosts(tx, origin, clock()));
        total += removed;
        if (!isMore) return { removed: total };
      }
    },
  };
}
