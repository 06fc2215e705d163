import { HeadwaterError } from './error.ts';
import type { Job } from './generated.ts';
import { sleep } from './retry.ts';

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Told each time that the job was looked at. */
  onProgress?: ((job: Job) => void) | undefined;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Waits until a job has ended, looking at it ever less often, up to every two seconds.
 * @returns the completed job
 * @throws HeadwaterError with the job's own code where it failed, `job_cancelled` where it was cancelled
 */
export async function waitForJob(
  client: { getJob(params: { id: string }, options?: { signal?: AbortSignal | undefined }): Promise<Job> },
  job: Job | string,
  { signal, onProgress }: WaitOptions = {},
): Promise<Job> {
  const id = typeof job === 'string' ? job : job.id;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const current = await client.getJob({ id }, { signal });
    onProgress?.(current);
    if (current.status === 'completed') return current;
    if (current.status === 'cancelled') throw jobError('job_cancelled', 'The job was cancelled.', current);
    if (current.status === 'failed') {
      throw jobError(current.error?.code ?? 'job_failed', current.error?.detail ?? 'The job failed.', current);
    }
    await sleep(pause, signal);
  }
}

const jobError = (code: string, detail: string, job: Job) => new HeadwaterError({ status: 200, code, detail }, job);
