import { JobError, type JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId } from '../../shared/ids.ts';
import { runInThread } from '../../shared/run-in-thread.ts';
import { accessOfAuthor } from '../../users/index.ts';
import type { StageEnd, StagePlan } from './stage-thread.ts';

/** The job type of each stage. */
export const STAGE_JOBS = { dry_run: 'dry_run_import', import: 'import_entries', undo: 'undo_import' } as const;

/** The `params` of a stage's job. */
export interface StageParams {
  collectionId: string;
  importId: string;
}

const SCRIPT = new URL('./stage-thread.ts', import.meta.url);
/** Enough for the ids or keys of every row of the largest file. */
const THREAD = { name: 'import', heapMb: 768 };

/** Runs the jobs of a stage. */
export function stageHandler(deps: Deps, stage: keyof typeof STAGE_JOBS): JobHandler {
  return {
    async run({ accountId, id, attempt, params, author, signal, report }) {
      const { importId } = params as StageParams;
      const found = author ? await accessOfAuthor(deps.control, accountId, author) : {};
      if (!found) throw new JobError('access_ended', 'Who started this no longer has access to the account.');
      const plan: StagePlan = {
        connection: deps.db.connection,
        accountId,
        importId: parseId('imp', importId) ?? '',
        jobId: id,
        attempt,
        publicUrl: deps.publicUrl(),
        maxRows: deps.config.limits.importRows,
        keptVersions: deps.config.entryVersions,
        isUndo: stage === 'undo',
        ...found,
      };
      const end = await runInThread<StageEnd>(SCRIPT, plan, THREAD, signal, report);
      if ('error' in end) throw new JobError(end.error.code, end.error.detail);
      const { errors: _, ...counts } = end.counts as { errors?: unknown };
      return { importId, ...counts };
    },
  };
}
