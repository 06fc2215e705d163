import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { openDatabase } from '../../shared/postgres/database.ts';
import { runRows } from './run-rows.ts';
import { runUndo } from './run-undo.ts';
import { StageError, type StageRun } from './stage-run.ts';

export interface StagePlan extends StageRun {
  connection: pg.PoolConfig;
  isUndo: boolean;
}

/** The result of a stage. A StageError is returned as data because its class does not survive between threads. */
export type StageEnd = { counts: object } | { error: { code: string; detail: string } };

// Started by stage-jobs.ts, which receives any error thrown here as the thread's error.
const plan = workerData as StagePlan;
// One connection reads the file while the others run the transactions of two batches.
const db = openDatabase(plan.connection, 3, () => {});
const report = (progress: number) => parentPort?.postMessage({ progress });
const work: Promise<object | undefined> = plan.isUndo ? runUndo(db, plan, report) : runRows(db, plan, report);
const done: StageEnd = await work.then(
  (counts) => ({ counts: counts ?? {} }),
  (error) => {
    if (!(error instanceof StageError)) throw error;
    return { error: { code: error.code, detail: error.message } };
  },
);
await db.close();
parentPort?.postMessage({ done });
