import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { openDatabase } from '../shared/postgres/database.ts';
import { runRows, StepError, type StepRun } from './run-import.ts';
import { runUndo } from './run-undo.ts';

export interface StepPlan extends StepRun {
  connection: pg.PoolConfig;
  isUndo: boolean;
}

/** What came of it; a refusal is told as data, for an error of a class of its own does not cross threads. */
export type StepEnd = { counts: object } | { refused: { code: string; detail: string } };

// Started by step-jobs.ts. What is thrown here reaches it as the thread's error.
const plan = workerData as StepPlan;
// One for the rows of the file, one for the transactions.
const db = openDatabase(plan.connection, 2, () => {});
const report = (progress: number) => parentPort?.postMessage({ progress });
const work: Promise<object | undefined> = plan.isUndo ? runUndo(db, plan, report) : runRows(db, plan, report);
const done: StepEnd = await work.then(
  (counts) => ({ counts: counts ?? {} }),
  (error) => {
    if (!(error instanceof StepError)) throw error;
    return { refused: { code: error.code, detail: error.message } };
  },
);
await db.close();
parentPort?.postMessage({ done });
