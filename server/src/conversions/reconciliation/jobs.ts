import { readReportingSettings } from '../../accounts/index.ts';
import { JobError, type JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId } from '../../shared/ids.ts';
import { runInThread } from '../../shared/run-in-thread.ts';
import { LIMITS } from '../limits.ts';
import { applyLines } from './apply.ts';
import type { ApplyBody } from './contract.ts';
import { findReconciliation, lockReconciliation, setApplied, updateReconciliation } from './queries.ts';
import type { ThreadEnd, ThreadPlan } from './reconcile-thread.ts';

export const RECONCILE_JOB = 'reconcile';
export const APPLY_JOB = 'apply_reconciliation';

export interface ReconcileParams {
  reconciliationId: string;
}
export interface ApplyParams extends ReconcileParams {
  outcomes: NonNullable<ApplyBody['outcomes']>;
}

const SCRIPT = new URL('./reconcile-thread.ts', import.meta.url);
/** Enough for the rows of the largest file and the conversions of its period. */
const THREAD = { name: 'reconciliation', heapMb: 768 };

/** Compares a file with the conversions. */
export function reconcileHandler(deps: Deps): JobHandler {
  const { db, clock, sessionIds } = deps;
  return {
    async run({ accountId, params, signal, report }) {
      const key = { account_id: accountId, id: parseId('rec', (params as ReconcileParams).reconciliationId) ?? '' };
      const { timeZone } = await readReportingSettings(deps.control, accountId);
      const plan: ThreadPlan = {
        ...{ accountId, reconciliationId: key.id, timeZone, maxRows: LIMITS.reconciliationRows, now: clock() },
        ...{ connection: db.connection, sessionKey: sessionIds.key },
      };
      const end = await runInThread<ThreadEnd>(SCRIPT, plan, THREAD, signal, report);
      if (!('error' in end)) return { ...end.result };
      await db.transaction(async (tx) => {
        const [row] = await lockReconciliation(tx, key);
        const { job_id = null, import_id = null } = row ?? {};
        const state = { result: null, error: JSON.stringify(end.error), job_id, import_id, is_applied: false };
        if (row) await updateReconciliation(tx, { ...key, ...state });
      });
      throw new JobError(end.error.code, end.error.detail);
    },
  };
}

/** Restates and reports conversions as a part of an import, which can be undone. */
export function applyHandler(deps: Deps): JobHandler {
  return {
    async run({ accountId, params, signal, report }) {
      const { reconciliationId, outcomes } = params as ApplyParams;
      const key = { account_id: accountId, id: parseId('rec', reconciliationId) ?? '' };
      const [row] = await findReconciliation(deps.db, key);
      if (!row?.import_id || !row.result) throw new JobError('not_found', 'The reconciliation was deleted.');
      const total = outcomes.reduce((sum, each) => sum + (row.result?.outcomes[each].appliable ?? 0), 0);
      const applied = await applyLines(deps, { ...key, importId: row.import_id, outcomes }, signal, (done) =>
        report(Math.min(1, done / Math.max(1, total))),
      );
      await setApplied(deps.db, key);
      return { ...applied };
    },
  };
}
