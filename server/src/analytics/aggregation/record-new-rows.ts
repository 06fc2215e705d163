import type { Deps } from '../../shared/deps.ts';
import { firstUuidAt } from '../../shared/ids.ts';
import { countMove } from '../../shared/postgres/citus.ts';
import { BY_INDEX, type Tx } from '../../shared/postgres/database.ts';
import { planAnew } from '../../shared/postgres/grown-tables.ts';
import { DAY, HOUR } from '../../shared/units.ts';
import { findChangedSessions } from '../engine/index.ts';
import { aggregateIncrementsOfSessions } from './increments.ts';
import {
  deleteSessionlessEvents,
  lockProgress,
  markSegmentsStale,
  resetAggregates,
  takeDeletions,
  writeProgress,
} from './queries.ts';
import { aggregateOrPostpone } from './rebuilds.ts';
import {
  aggregateConversions,
  aggregateLeads,
  countSessionlessEvents,
  findDeletedLeads,
  findNewConversions,
  type IdList,
  recordBotChecks,
  recordNewRows,
  resetInsertedIds,
} from './source-queries.ts';

const BATCH_SIZE = 20_000;
const QUARTER_MS = 900_000;
/** An id may be a little later than the time at which its row was received. */
const ID_TOLERANCE_MS = 2 * HOUR;

/** Sessions to aggregate the conversions and leads of. */
type SessionKey = { account_id: string; number: number };

/**
 * Records what was received since the last run, for all accounts: which sessions changed, new events without a session, and
 * new or changed conversions and leads. The snapshot of the run is stored in the same transaction, and the next run takes what
 * it did not see, so each row is recorded exactly once. Only one process does it at a time.
 */
export async function recordReceivedRows({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  if (db.placementLock) await countMove(db);
  const work = async (tx: Tx) => {
    await tx.query(`set local statement_timeout = 0; ${BY_INDEX}`);
    const [progress] = await lockProgress(tx);
    if (!progress) return;
    if (progress.is_foreign) {
      for (const reset of [...resetInsertedIds, resetAggregates]) await reset(tx);
      return;
    }
    await applyDeletions(tx);
    if (!progress.has_moved) return;
    await planAnew(tx);
    const since = { snapshot: progress.snapshot, xmin: progress.xmin };
    const received = await recordNewRows(tx, since);
    await recordBotChecks(tx, since);
    const conversions = await findNewConversions(tx, since);
    await inBatches(conversions, async (batch) => {
      await aggregateConversions(tx, { conversions: batch, sessions: [] });
      await aggregateOrPostpone(tx, batch);
    });
    const leads = received.filter(({ type }) => type === 'lead');
    await inBatches(leads, (batch) => aggregateLeads(tx, { leads: batch, sessions: [] }));
    const sessions = received.filter(({ type }) => type === 'session');
    await inBatches(sessions, (batch) =>
      aggregateOutcomes(
        tx,
        batch.map(({ account_id, id }) => ({ account_id, number: Number(id) })),
      ),
    );
    await writeProgress(tx, { snapshot: progress.current, recorded_at: new Date(clock()) });
  };
  await db.transaction(work, { isRepeatableRead: true });
}

/** Aggregates the conversions and leads of sessions again. */
export async function aggregateOutcomes(tx: Tx, sessions: SessionKey[]): Promise<void> {
  await aggregateConversions(tx, { conversions: [], sessions });
  await aggregateIncrementsOfSessions(tx, { sessions });
  await aggregateLeads(tx, { leads: [], sessions });
}

/** Removes from the aggregates what erasure or retention deleted. */
async function applyDeletions(tx: Tx): Promise<void> {
  for (const { account_id, before } of await takeDeletions(tx)) {
    if (before !== null) {
      await markSegmentsStale(tx, { account_id, before });
      // Quarters of an hour are counted whole.
      const until = new Date(Math.ceil(before.getTime() / QUARTER_MS) * QUARTER_MS);
      await deleteSessionlessEvents(tx, { account_id, before: until });
      const first_id = firstUuidAt(before.getTime() + DAY + ID_TOLERANCE_MS);
      await countSessionlessEvents(tx, { account_id, before: until, first_id });
    }
    // Other sessions follow when their segment is rebuilt.
    const changed = await findChangedSessions(tx, { account_id });
    const sessions = changed.map(({ session_number }) => ({ account_id, number: session_number }));
    await aggregateOutcomes(tx, sessions);
    await aggregateLeads(tx, { leads: await findDeletedLeads(tx, { account_id }), sessions: [] });
  }
}

async function inBatches(
  lists: IdList[],
  work: (batch: { account_id: string; id: string }[]) => Promise<unknown>,
): Promise<void> {
  let batch = [];
  for (const { account_id, ids } of lists) {
    for (let at = 0; at < ids.length; ) {
      const comma = ids.indexOf(',', at);
      const end = comma < 0 ? ids.length : comma;
      batch.push({ account_id, id: ids.slice(at, end) });
      at = end + 1;
      if (batch.length < BATCH_SIZE) continue;
      await work(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await work(batch);
}
