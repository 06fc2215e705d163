import { JobError, type JobHandler } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { parseId } from '../shared/ids.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import type { StepEnd, StepPlan } from './step-thread.ts';

export const STEP_JOBS = { rehearsal: 'rehearse_import', import: 'import_entries', undo: 'undo_import' } as const;

/** What a step's job is asked for, as it is stored and answered. */
export interface StepParams {
  collectionId: string;
  importId: string;
}

const SCRIPT = new URL('./step-thread.ts', import.meta.url);
/** For what the rows of the largest file are found by. */
const THREAD = { name: 'import', heapMb: 768 };

/** What does the steps of imports. */
export function stepHandler(deps: Deps, step: keyof typeof STEP_JOBS): JobHandler {
  return {
    async run({ accountId, id, attempt, params, signal, report }) {
      const { importId } = params as StepParams;
      const plan: StepPlan = {
        connection: deps.db.connection,
        accountId,
        importId: parseId('imp', importId) ?? '',
        jobId: id,
        attempt,
        publicUrl: deps.publicUrl(),
        maxRows: deps.config.limits.importRows,
        keep: deps.config.entryVersions,
        isUndo: step === 'undo',
      };
      const end = await runInThread<StepEnd>(SCRIPT, plan, THREAD, signal, report);
      if ('refused' in end) throw new JobError(end.refused.code, end.refused.detail);
      const { faults: _, ...counts } = end.counts as { faults?: unknown };
      return { importId, ...counts };
    },
  };
}
