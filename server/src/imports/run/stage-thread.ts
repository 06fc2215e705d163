import type pg from 'pg';
import { ApiError } from '../../shared/errors.ts';
import { openDatabase } from '../../shared/postgres/database.ts';
import { serveThread } from '../../shared/serve-thread.ts';
import { runRows } from './run-rows.ts';
import { runUndo } from './run-undo.ts';
import { StageError, type StageRun } from './stage-run.ts';

export interface StagePlan extends StageRun {
  connection: pg.PoolConfig;
  isUndo: boolean;
}

/** The result of a stage. A StageError is returned as data because its class does not survive between threads. */
export type StageEnd = { counts: object } | { error: { code: string; detail: string } };

// Run by stage-jobs.ts.
serveThread(async (plan: StagePlan, report): Promise<StageEnd> => {
  // One connection reads the file while the others run the transactions of two batches.
  const db = openDatabase(plan.connection, 3, () => {});
  try {
    return { counts: (await (plan.isUndo ? runUndo(db, plan, report) : runRows(db, plan, report))) ?? {} };
  } catch (error) {
    if (error instanceof StageError) return { error: { code: error.code, detail: error.message } };
    // What the role of its author does not allow, or no longer does.
    if (error instanceof ApiError && error.status < 500) return { error: { code: error.code, detail: error.message } };
    throw error;
  } finally {
    await db.close();
  }
});
