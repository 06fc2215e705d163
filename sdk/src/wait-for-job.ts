import { HeadwaterError } from './error.ts';
import type { Job } from './generated.ts';
import type { Completed } from './jobs.ts';
import { sleep } from './retry.ts';

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Called each time the job was polled. */
  onProgress?: ((job: Job) => void) | undefined;
}

const FIRST_INTERVAL_MS = 200;
const MAX_INTERVAL_MS = 2_000;

/**
 * Polls a job until it ends, at intervals that grow to two seconds.
 * @returns the completed job
 * @throws HeadwaterError with the job's error code if it failed, or `job_cancelled`
 */
export async function waitForJob<J extends Omit<Job, 'params' | 'result'> & { result: unknown } = Job>(
  client: { getJob(params: { id: string }, options?: { signal?: AbortSignal | undefined }): Promise<Job> },
  job: J | string,
  { signal, onProgress }: WaitOptions = {},
): Promise<Completed<J>> {
  const id = typeof job === 'string' ? job : job.id;
  for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(interval * 1.5, MAX_INTERVAL_MS)) {
    const current = await client.getJob({ id }, { signal });
    onProgress?.(current);
    // It is the same job, so its parameters and result are those of its type.
    if (current.status === 'completed') return current as unknown as Completed<J>;
    if (current.status === 'cancelled') throw jobError('job_cancelled', 'The job was canceled.', current);
    if (current.status === 'failed') {
      throw jobError(current.error?.code ?? 'job_failed', current.error?.detail ?? 'The job failed.', current);
    }
    await sleep(interval, signal);
  }
}

const jobError = (code: string, detail: string, job: Job) => new HeadwaterError({ status: 200, code, detail }, job);
