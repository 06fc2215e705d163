import type { Deps } from '../../shared/deps.ts';
import { newUuid } from '../../shared/ids.ts';
import { BY_INDEX, type Database, type Tx } from '../../shared/postgres/database.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { findMuchRestated } from './increment-queries.ts';
import { aggregateIncrements } from './increments.ts';
import { endRebuild, findNextRebuild, insertRebuilds, takeRebuildTurn } from './queries.ts';

const CHECK_MS = 1_500;

/** So many revisions of a conversion are left to the worker. */
const MANY = 200;

type Conversion = { account_id: string; id: string };

/** Rebuilds the increments of conversions, but those of many revisions later, so that nobody waits for them. */
export async function aggregateOrPostpone(tx: Tx, conversions: Conversion[]): Promise<void> {
  const postponed = await findMuchRestated(tx, { conversions, many: MANY });
  const ids = new Set(postponed.map(({ id }) => id));
  await insertRebuilds(tx, {
    rebuilds: postponed.map(({ account_id, id }) => ({ account_id, id: newUuid(), conversion_id: id })),
  });
  await aggregateIncrements(
    tx,
    conversions.filter(({ id }) => !ids.has(id)),
  );
}

/** Rebuilds what was postponed: one conversion of an account, then one of the next account. */
export async function rebuildPostponed(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await rebuildNext(db)));
}

function rebuildNext(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = 0; ${BY_INDEX}`);
    const [turn] = await takeRebuildTurn(tx);
    if (!turn) return false;
    const [next] = await findNextRebuild(tx, { after: turn.account_id });
    if (!next) return false;
    // First, so that a report which arrives meanwhile is taken next.
    await endRebuild(tx, next);
    await aggregateIncrements(tx, [next]);
    return true;
  });
}

export const rebuildWorker = ({ db, log }: Deps): WorkerLoop =>
  workerLoop({
    name: 'rebuild the increments of conversions with many reports',
    log,
    everyMs: CHECK_MS,
    run: (signal) => rebuildPostponed(db, signal),
  });
