import type { Database, Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { findConversionsAfter, increments, incrementsOfSessions } from './increment-queries.ts';

const BATCH_SIZE = 5_000;

/** Rebuilds the increments of conversions out of all of their revisions. */
export async function aggregateIncrements(tx: Tx, conversions: { account_id: string; id: string }[]): Promise<void> {
  for (let at = 0; at < conversions.length; at += BATCH_SIZE) {
    await increments(tx, { conversions: conversions.slice(at, at + BATCH_SIZE) });
  }
}

/** Copies the dimensions of sessions that changed. Those of deleted ones stay. */
export const aggregateIncrementsOfSessions = incrementsOfSessions;

const takeBackfill = statement('analytics.take_increment_backfill', {}).returns<{ account_id: string; after: string }>(
  `select account_id, after from analytics_increment_backfills order by account_id limit 1 for update skip locked`,
);

const updateBackfills = statement('analytics.update_increment_backfills', {
  backfills: rows({ account_id: 'uuid', after: 'uuid?' }),
}).runs(
  `with done as (
     delete from analytics_increment_backfills b using :backfills as w where b.account_id = w.account_id and w.after is null)
   update analytics_increment_backfills b set after = w.after from :backfills as w
   where b.account_id = w.account_id and w.after is not null`,
);

/**
 * Adds the increments of conversions that an earlier version recorded. In short transactions, each of which stores how far it came. Any
 * number of processes may do it.
 */
export async function backfillIncrements(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await backfillNext(db)));
}

function backfillNext(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [backfill] = await takeBackfill(tx);
    if (!backfill) return false;
    const conversions = await findConversionsAfter(tx, { ...backfill, limit: BATCH_SIZE });
    await aggregateIncrements(tx, conversions);
    const after = conversions.length === BATCH_SIZE ? (conversions.at(-1)?.id ?? null) : null;
    await updateBackfills(tx, { backfills: [{ account_id: backfill.account_id, after }] });
    return true;
  });
}
