import type { FastifyRequest } from 'fastify';
import { notGranted } from '../accounts/index.ts';
import type { Collection } from '../content/index.ts';
import { enqueueJob, serializeJobs } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, type Fault, notFound, refuse } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Import, ImportMapping } from './contract.ts';
import { resolveMapping } from './mapping.ts';
import { deleteBatches, type ImportRow, lockImport, type Stage, startStage } from './queries.ts';
import { STAGE_JOBS, type StageParams } from './run/stage-jobs.ts';
import { serializeImport } from './serialize-import.ts';
import { IMPORT_EXPIRY_MS } from './upload-file.ts';

/** What a route starts a stage of. */
interface Target {
  request: FastifyRequest;
  collection: Collection;
  /** Public id. */
  importId: string;
}

/** Starts a dry run. It can be repeated with another mapping until the import is started. */
export function startDryRun(deps: Deps, target: Target, mapping: ImportMapping): Promise<Import> {
  return start(deps, target, 'dry_run', async (tx, row) => {
    if (row.stage === 'import' || (row.stage === 'undo' && !row.is_stage_done)) {
      throw badRequest('import_started', 'The import has been started. Undo it first, or upload the file again.');
    }
    const faults: Fault[] = [];
    resolveMapping(target.collection, mapping, row.columns?.length ?? 0, faults);
    refuse(faults);
    await deleteBatches(tx, { account_id: target.request.caller.accountId, import_id: row.id });
    return { mapping, isResumed: false };
  });
}

/** Starts an import after its dry run, or resumes one that has stopped. */
export function startImport(deps: Deps, target: Target): Promise<Import> {
  return start(deps, target, 'import', async (_tx, row) => {
    const isReady = row.stage === 'dry_run' && row.is_stage_done;
    const isResumed = row.stage === 'import' && !row.is_stage_done;
    if (!isReady && !isResumed) {
      throw badRequest('dry_run_required', 'Complete a dry run before you start the import. It can be started once.');
    }
    return { mapping: row.mapping, isResumed };
  });
}

/** Undoes what an import has written so far, or resumes an undo that has stopped. */
export function startUndo(deps: Deps, target: Target): Promise<Import> {
  return start(deps, target, 'undo', async (_tx, row) => {
    if (row.stage !== 'import' && (row.stage !== 'undo' || row.is_stage_done)) {
      throw badRequest('import_not_started', 'The import has not been started, so there is nothing to undo.');
    }
    const { created = 0, updated = 0 } = row.imported ?? {};
    const { access } = target.collection;
    for (const [action, count] of [
      ['delete', created],
      ['update', updated],
    ] as const) {
      if (access && count > 0 && !access.permissions[action])
        throw notGranted(`it may not ${action} entries of this collection`);
    }
    // The undo counts down from the batch that the import has reached.
    return { mapping: row.mapping, isResumed: true };
  });
}

type Prepare = (tx: Tx, row: ImportRow) => Promise<{ mapping: ImportMapping | null; isResumed: boolean }>;

async function start(
  deps: Deps,
  { request, collection, importId }: Target,
  stage: Exclude<Stage, 'upload'>,
  prepare: Prepare,
): Promise<Import> {
  const account_id = request.caller.accountId;
  const id = parseId('imp', importId);
  return deps.db.transaction(async (tx) => {
    const [row] = id === undefined ? [] : await lockImport(tx, { account_id, collection_id: collection.id, id });
    if (!row) throw notFound('import');
    const current = row.job_id === null ? undefined : (await jobsOf(deps, tx, account_id, [row])).get(row.job_id);
    // A stage is done with its last rows, a moment before its job.
    if (!row.is_stage_done && (current?.status === 'queued' || current?.status === 'running')) {
      throw badRequest('import_busy', 'A stage of the import is running. Wait for its end, or cancel its job.');
    }
    const { mapping, isResumed } = await prepare(tx, row);
    const params: StageParams = { collectionId: collection.publicId, importId };
    const author = authorOf(request);
    const job = await enqueueJob(deps, tx, account_id, STAGE_JOBS[stage], params, author);
    const [started] = await startStage(tx, {
      account_id,
      id: row.id,
      stage,
      job_id: parseId('job', job.id) ?? '',
      mapping: mapping && JSON.stringify(mapping),
      expires_at: new Date(deps.clock() + IMPORT_EXPIRY_MS),
      is_resumed: isResumed,
      author_type: author.type,
      author_id: author.id,
    });
    if (!started) throw new Error('the import was deleted while it was locked');
    if (stage !== 'dry_run') {
      const counts = stage === 'undo' ? row.imported : row.dry_run;
      const change = {
        action: stage === 'undo' ? 'import.undone' : 'import.started',
        subject: ['import', importId] as const,
        after: { collectionId: collection.publicId, name: row.name, ...counts, errors: undefined },
      };
      await audit(tx, author, change, deps.clock());
    }
    return serializeImport(deps, account_id, collection, started, job);
  });
}

/** The jobs of the current stages, by UUID. */
export const jobsOf = (deps: Deps, tx: Tx, accountId: string, rows: readonly ImportRow[]) =>
  serializeJobs(
    deps,
    tx,
    rows.flatMap(({ job_id }) => (job_id === null ? [] : [{ accountId, id: job_id }])),
  );
