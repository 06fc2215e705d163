import type { Database } from '../../shared/postgres/database.ts';
import { clearBotFlags } from '../../tracking/index.ts';
import { markChanged, takeBotCheck, updateBotCheck } from './queries.ts';
import { aggregateOutcomes } from './record-new-rows.ts';
import { findServerSessions } from './source-queries.ts';

/** Sessions that one transaction looks at. */
const STEP = 5_000;

/**
 * Clears the flag of sessions that were taken for bots by the user agent of a server, although a server reported a conversion of
 * them, or they were recorded with a secret token; reports count them from then on. In short transactions, each of which stores how
 * far it came. Any number of processes may do it.
 */
export async function clearBots(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await clearNext(db)));
}

/** @returns whether there was anything to look at */
function clearNext(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [check] = await takeBotCheck(tx);
    if (check === undefined) return false;
    const { account_id, from_number, to_number } = check;
    const found = await findServerSessions(tx, { account_id, from_number, to_number, limit: STEP });
    const numbers = found.filter(({ is_server }) => is_server).map(({ number }) => number);
    if (numbers.length > 0) {
      await clearBotFlags(tx, { account_id, sessions: numbers });
      await markChanged(tx, { account_id, numbers });
      await aggregateOutcomes(
        tx,
        numbers.map((number) => ({ account_id, number })),
      );
    }
    const last = found.at(-1);
    const next = found.length === STEP && last !== undefined ? last.number + 1 : null;
    await updateBotCheck(tx, { account_id, to_number, next });
    return true;
  });
}
