import type { Deps } from '../../shared/deps.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { MAX_POSTPONED_MS, patientLoop, type WorkerLoop } from '../../shared/worker-loop.ts';
import { clearBots } from './clear-bots.ts';
import { backfillIncrements } from './increments.ts';
import { recordReceivedRows } from './record-new-rows.ts';
import { restateStarts } from './restate-starts.ts';
import { updateSegments } from './update-segments.ts';

const CHECK_MS = 1_500;

/** After a run aggregation pauses for this many times its duration, so that it takes little from ingest. */
const PAUSE_FACTOR = 4;

/**
 * How long aggregation pauses after a run of `ms`. Never longer than a run is postponed: each run has to aggregate what arrived in the
 * pause before it, so under steady load runs and pauses would grow by turns, without end.
 */
export const pauseAfter = (ms: number): number => Math.min(ms * PAUSE_FACTOR, MAX_POSTPONED_MS);

/** An aggregation run: brings everything that reports read up to date. */
export async function aggregateNewRows(deps: Pick<Deps, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  await recordReceivedRows(deps);
  await clearBots(deps.db, signal);
  await restateStarts(deps, signal);
  await backfillIncrements(deps.db, signal);
  await updateSegments(deps, signal);
}

/** Runs aggregation whenever a run is due. During ingest one would cost a third of it. */
export const aggregationWorker = (deps: Deps, pressure: Pressure): WorkerLoop =>
  patientLoop({
    name: 'aggregate new rows',
    log: deps.log,
    everyMs: CHECK_MS,
    pressure,
    pauseAfter,
    run: (signal) => aggregateNewRows(deps, signal),
  });
