import type { Deps } from '../../shared/deps.ts';
import { checkStarts } from '../../tracking/index.ts';
import { markChanged } from './queries.ts';
import { aggregateOutcomes } from './record-new-rows.ts';

/**
 * Restates the starts of sessions that an earlier version recorded, and lets reports follow. In short transactions, each of which stores how far it came.
 * Any number of processes may do it.
 */
export async function restateStarts(deps: Pick<Deps, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await restateNext(deps)));
}

/** @returns whether there was anything to look at */
function restateNext({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const checked = await checkStarts(tx, clock());
    if (checked === undefined) return false;
    const { accountId, numbers } = checked;
    if (numbers.length === 0) return true;
    await markChanged(tx, { account_id: accountId, numbers });
    await aggregateOutcomes(
      tx,
      numbers.map((number) => ({ account_id: accountId, number })),
    );
    return true;
  });
}
