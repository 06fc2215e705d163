import { Worker } from 'node:worker_threads';

/** What a thread says of its work: how far it is, and, last, what came of it. */
export type ThreadMessage<Result> = { progress: number } | { done: Result };

/** A thread's work, as `workerData` of the script. */
export interface ThreadOptions {
  name: string;
  /** Bounds the objects of the thread, not its buffers; past it the thread ends, not the service. */
  heapMb: number;
}

/**
 * Does work in a thread of its own, so that requests are answered meanwhile as if there were none; when `signal` is aborted
 * the thread ends, wherever it is, with its connections and files. What the script throws is thrown here.
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
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 },
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
