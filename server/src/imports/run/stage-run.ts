import type { RoleAccess } from '../../accounts/index.ts';
import type { WriteContext } from '../../content/index.ts';
import { lockRun as lockJobRun } from '../../jobs/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type ImportRow, lockImportOfJob } from '../queries.ts';

/** One run of a stage, as plain data that can be sent to a thread. */
export interface StageRun {
  accountId: string;
  importId: string;
  jobId: string;
  attempt: number;
  publicUrl: string;
  maxRows: number;
  /** How many earlier versions of an entry are kept. */
  keptVersions: number;
  /** What the role of who started it allows; absent: everything. */
  access?: RoleAccess;
}

/** Why a stage stopped, as the job's error. */
export class StageError extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/**
 * Locks the job and the import, so that only one run commits the next batch. Call it last, right before the
 * progress is stored: the runner cannot renew the leases of its jobs while one of them is locked.
 * @throws StageError if the job was canceled, or another run has continued the import
 */
export async function lockRun(tx: Tx, run: StageRun, known: Pick<ImportRow, 'batches_done'>): Promise<void> {
  const { accountId, importId, jobId, attempt } = run;
  const [job] = await lockJobRun(tx, { account_id: accountId, id: jobId, attempt });
  if (!job) throw new StageError('job_lost', 'The job was canceled, or another process has taken it over.');
  const [row] = await lockImportOfJob(tx, { account_id: accountId, id: importId, job_id: jobId });
  if (row?.batches_done !== known.batches_done) {
    throw new StageError('import_gone', 'The import has expired, or another run has continued it.');
  }
}

/** Who writes the entries of a stage: the author who started it. */
export function batchWriting(run: StageRun, { author_type, author_id }: ImportRow): WriteContext {
  const { accountId, publicUrl, keptVersions } = run;
  const author = { accountId, type: author_type ?? 'command', id: author_id, address: null };
  return { author, now: Date.now(), publicUrl, keptVersions };
}
