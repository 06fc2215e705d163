import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A message of a thread: its progress and, at the end, its result. */
export type ThreadMessage<Result> = { progress: number } | { done: Result };

/** Options of the thread. */
export interface ThreadOptions {
  name: string;
  /** Limits the objects of the thread, not its buffers. Beyond it the thread ends, but not the service. */
  heapMb: number;
}

/**
 * Starts a script in a thread, with the cache of compiled code of the process if it has one: a thread has none by itself, and
 * would spend most of its start on compiling.
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  const directory = getCompileCacheDir();
  // The cache is in a folder for the version of Node.js, which Node.js adds.
  const cache = directory && `require('node:module').enableCompileCache(${JSON.stringify(dirname(directory))});`;
  return new Worker(`${cache ?? ''}import(${JSON.stringify(script.href)})`, { ...options, eval: true });
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
    const thread = startThread(script, {
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
