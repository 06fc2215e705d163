import type { AuthorType } from '../shared/audit.ts';

/** One start of a job. */
export interface JobRun {
  accountId: string;
  /** UUID of the job. */
  id: string;
  /** Counts the starts of this job. Two that overlap, because the first seemed dead, have different numbers. */
  attempt: number;
  params: unknown;
  /** Who started it. */
  author?: { type: AuthorType | null; id: string | null };
  /** Aborted when the job was cancelled, its lease was lost or the service stops. The work must end at once. */
  signal: AbortSignal;
  /** Reports the share that is done, from 0 to 1. Cheap: it is stored with the next renewal of the lease. */
  report(progress: number): void;
}

/** Stored as JSON. A member `file` names a file under `DOWNLOADS`; the API returns a signed `url` in its place. */
export type JobResult = Record<string, unknown>;

/** Runs the jobs of one type. */
export interface JobHandler {
  /**
   * Does the work and returns the result to store. After a crash it runs again from the start.
   * @throws JobError for a failure that the caller should see; after a lost database connection, or if the failure may
   *   pass, the job starts again; any other error fails it as `internal_error`
   */
  run(job: JobRun): Promise<JobResult>;
  /** Removes what a job created, when it has expired or finished too late. May be called repeatedly. */
  discard?(result: JobResult): Promise<void>;
}

/** The handlers of all job types, by type. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Why a job failed, for its caller. */
export class JobError extends Error {
  readonly code: string;
  /** Whether the job may succeed later, so that it is started again before it fails. */
  readonly mayPass: boolean;

  constructor(code: string, detail: string, { cause, mayPass = false }: { cause?: unknown; mayPass?: boolean } = {}) {
    super(detail, { cause });
    this.code = code;
    this.mayPass = mayPass;
  }
}
