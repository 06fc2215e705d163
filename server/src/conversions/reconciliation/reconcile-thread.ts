import type pg from 'pg';
import { openDatabase } from '../../shared/postgres/database.ts';
import { serveThread } from '../../shared/serve-thread.ts';
import { sessionIdsOf } from '../../shared/session-ids.ts';
import type { Result } from './queries.ts';
import { type ReconcilePlan, ReconciliationError, reconcile } from './reconcile.ts';

export interface ThreadPlan extends ReconcilePlan {
  connection: pg.PoolConfig;
  sessionKey: Uint8Array;
}

/** A ReconciliationError is returned as data because its class does not survive between threads. */
export type ThreadEnd = { result: Result | undefined } | { error: { code: string; detail: string } };

// Run by jobs.ts.
serveThread(async ({ connection, sessionKey, ...plan }: ThreadPlan, report): Promise<ThreadEnd> => {
  const db = openDatabase(connection, 2, () => {});
  try {
    return { result: await reconcile(db, sessionIdsOf(sessionKey), plan, report) };
  } catch (error) {
    if (!(error instanceof ReconciliationError)) throw error;
    return { error: { code: error.code, detail: error.message } };
  } finally {
    await db.close();
  }
});
