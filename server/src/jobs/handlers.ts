import type { Deps } from '../shared/deps.ts';

/** One start of a job. */
export interface JobRun {
  accountId: string;
  /** UUID of the job. */
  id: string;
  /** Counts the starts of this job: two that overlap, since the first seemed dead, have different ones. */
  attempt: number;
  params: unknown;
  /** Aborted when the job was cancelled, its lease was lost or the service stops: the work ends at once. */
  signal: AbortSignal;
  /** Tells how much is done, from 0 to 1. Cheap: it is written down with the lease. */
  report(progress: number): void;
}

export type JobResult = Record<string, unknown>;

/** What a room does for the jobs of one type. */
export interface JobHandler {
  /**
   * Does the work and returns the result to store. It may be run again from the start after a crash.
   * @throws JobError for what the caller is to be told; a lost database connection makes the job start again; the rest
   *   fails it as `internal_error`
   */
  run(job: JobRun): Promise<JobResult>;
  /** The result as it is answered, where that differs from what is stored. */
  present?(result: JobResult, expiresAt: Date): JobResult;
  /** Removes what a job made, when it expired or its end came too late. It may be called again. */
  discard?(result: JobResult): Promise<void>;
}

/** Why a job failed, for the caller. */
export class JobError extends Error {
  readonly code: string;

  constructor(code: string, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.code = code;
  }
}

const registries = new WeakMap<Deps, Map<string, JobHandler>>();

/** Says who does the jobs of a type, in the service that `deps` belong to. */
export function registerJob(deps: Deps, type: string, handler: JobHandler): void {
  handlersOf(deps).set(type, handler);
}

export function handlersOf(deps: Deps): Map<string, JobHandler> {
  const known = registries.get(deps) ?? new Map<string, JobHandler>();
  registries.set(deps, known);
  return known;
}
