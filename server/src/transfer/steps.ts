import type { FastifyRequest } from 'fastify';
import type { Collection } from '../content/index.ts';
import { describeJobs, enqueueJob } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, type Fault, notFound, refuse } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { answerImport } from './answer-import.ts';
import type { Import, ImportPlan } from './contract.ts';
import { beginStep, deleteBatches, type ImportRow, lockImport, type Step } from './queries.ts';
import { bindPlan } from './read-plan.ts';
import { KEEP_MS } from './receive-file.ts';
import { STEP_JOBS, type StepParams } from './step-jobs.ts';

type JobStep = Exclude<Step, 'upload'>;

/** Rehearses a plan: every row is judged, nothing is written. It can be done again, with another plan, until the import is started. */
export function rehearse(
  deps: Deps,
  request: FastifyRequest,
  collection: Collection,
  importId: string,
  plan: ImportPlan,
) {
  return begin(deps, request, collection, importId, 'rehearsal', async (tx, row) => {
    if (row.step === 'import' || (row.step === 'undo' && !row.is_done)) {
      throw badRequest('import_started', 'The import was started: undo it first, or upload the file again.');
    }
    const faults: Fault[] = [];
    bindPlan(collection, plan, row.columns?.length ?? 0, faults);
    refuse(faults);
    await deleteBatches(tx, request.caller.accountId, row.id, ['rehearsal', 'import', 'undo']);
    return { plan, goesOn: false };
  });
}

/** Starts what was rehearsed, or goes on where it stopped. */
export function start(deps: Deps, request: FastifyRequest, collection: Collection, importId: string) {
  return begin(deps, request, collection, importId, 'import', async (_tx, row) => {
    const isRehearsed = row.step === 'rehearsal' && row.is_done;
    const isStopped = row.step === 'import' && !row.is_done;
    if (!isRehearsed && !isStopped) {
      throw badRequest('import_not_rehearsed', 'An import is started once its rehearsal has ended, and once only.');
    }
    return { plan: row.plan, goesOn: isStopped };
  });
}

/** Takes an import back, as far as it has come, or goes on with that. */
export function undo(deps: Deps, request: FastifyRequest, collection: Collection, importId: string) {
  return begin(deps, request, collection, importId, 'undo', async (_tx, row) => {
    if (row.step !== 'import' && (row.step !== 'undo' || row.is_done)) {
      throw badRequest('import_not_started', 'There is nothing to undo.');
    }
    return { plan: row.plan, goesOn: true };
  });
}

type Choose = (tx: Tx, row: ImportRow) => Promise<{ plan: ImportPlan | null; goesOn: boolean }>;

async function begin(
  deps: Deps,
  request: FastifyRequest,
  collection: Collection,
  publicImportId: string,
  step: JobStep,
  choose: Choose,
): Promise<Import> {
  const { accountId } = request.caller;
  const id = parseId('imp', publicImportId);
  return deps.db.transaction(async (tx) => {
    const [row] = id === undefined ? [] : await lockImport(tx, accountId, collection.id, id);
    if (!row) throw notFound('import');
    const job = row.job_id === null ? undefined : (await jobsOf(deps, tx, accountId, [row])).get(row.job_id);
    // The end of a step is written with its last rows, a moment before that of its job.
    if (!row.is_done && (job?.status === 'queued' || job?.status === 'running')) {
      throw badRequest('import_busy', 'A step of the import is under way: wait for its end, or cancel its job.');
    }
    const { plan, goesOn } = await choose(tx, row);
    const params: StepParams = { collectionId: collection.publicId, importId: publicImportId };
    const next = await enqueueJob(deps, tx, accountId, STEP_JOBS[step], params);
    const jobId = parseId('job', next.id);
    const expires = new Date(deps.clock() + KEEP_MS);
    const author = authorOf(request);
    const [begun] = await beginStep(
      tx,
      accountId,
      row.id,
      step,
      jobId,
      JSON.stringify(plan),
      expires,
      goesOn,
      author.kind,
      author.id,
    );
    if (!begun) throw new Error('an import went away while it was locked');
    if (step !== 'rehearsal') {
      const after = {
        collectionId: collection.publicId,
        name: row.name,
        ...(step === 'undo' ? row.imported : row.rehearsal),
      };
      const change = {
        action: step === 'undo' ? 'import.undone' : 'import.started',
        subject: ['import', publicImportId] as const,
        after: { ...after, faults: undefined },
      };
      await audit(tx, author, change, deps.clock());
    }
    return answerImport(deps, accountId, collection, begun, next);
  });
}

export const jobsOf = (deps: Deps, tx: Tx, accountId: string, rows: readonly ImportRow[]) =>
  describeJobs(
    deps,
    tx,
    rows.flatMap(({ job_id }) => (job_id === null ? [] : [{ accountId, id: job_id }])),
  );
