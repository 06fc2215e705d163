import { Worker } from 'node:worker_threads';

/** A message of a thread: its progress and, at the end, its result. */
export type ThreadMessage<Result> = { progress: number } | { done: Result };

/** Options of the thread. */
export interface ThreadOptions {
  name: string;
  /** Limits the objects of the thread, not its buffers. Beyond it the thread ends, but not the service. */
  heapMb: number;
}

/**
 * Runs a script in a thread, so that requests are not delayed. When `signal` is aborted the thread is terminated, with its
 * connections and files. An error of the script is thrown here.
 */
export function runInThread<Result>(
  script: URL,
  data: unknown,
  { name, heapMb }: ThreadOptions,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
      name,
    });
    const terminate = () => void thread.terminate();
    signal.addEventListener('abort', terminate, { once: true });
    thread.on('message', (message: ThreadMessage<Result>) => {
      if ('done' in message) resolve(message.done);
      else report(message.progress);
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      signal.removeEventListener('abort', terminate);
      reject(signal.reason ?? new Error(`the thread "${name}" ended without a result`));
    });
  });
}
