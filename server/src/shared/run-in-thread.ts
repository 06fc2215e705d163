import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A message of a thread: its progress and, at the end, its result. */
type ThreadMessage<Result> = { progress: number } | { done: Result };

/** Options of the thread. */
interface ThreadOptions {
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

/** How long a thread waits for more work: loading a script takes longer than most imports and exports. */
const KEEP_MS = 10_000;

/** Threads without work, by script. */
const idle = new Map<string, JobThread[]>();

/**
 * Runs a script that calls `serveThread`, so that requests are not delayed. When `signal` is aborted the thread is terminated, with
 * its connections and files. An error of the script is thrown here, and also ends its thread.
 */
export function runInThread<Result>(
  script: URL,
  data: unknown,
  options: ThreadOptions,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<Result> {
  const thread = idle.get(script.href)?.pop() ?? new JobThread(script, options);
  return thread.run(data, signal, report) as Promise<Result>;
}

interface Run {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  report(progress: number): void;
  signal: AbortSignal;
}

class JobThread {
  readonly #script: string;
  readonly #thread: Worker;
  #run: Run | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(script: URL, { name, heapMb }: ThreadOptions) {
    this.#script = script.href;
    this.#thread = startThread(script, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
      name,
    });
    this.#thread.on('message', (message: ThreadMessage<unknown>) => {
      if ('progress' in message) return this.#run?.report(message.progress);
      const run = this.#end();
      this.#keep();
      run?.resolve(message.done);
    });
    this.#thread.on('error', (error) => this.#end()?.reject(error));
    this.#thread.once('exit', () => {
      this.#forget();
      const run = this.#end();
      run?.reject(run.signal.reason ?? new Error(`the thread "${name}" ended without a result`));
    });
  }

  run(data: unknown, signal: AbortSignal, report: (progress: number) => void): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#run = { resolve, reject, report, signal };
      if (signal.aborted) return this.#terminate();
      signal.addEventListener('abort', this.#terminate, { once: true });
      this.#thread.postMessage(data);
    });
  }

  readonly #terminate = () => void this.#thread.terminate();

  #end(): Run | undefined {
    const run = this.#run;
    this.#run = undefined;
    run?.signal.removeEventListener('abort', this.#terminate);
    return run;
  }

  #keep(): void {
    this.#thread.unref();
    idle.set(this.#script, [...(idle.get(this.#script) ?? []), this]);
    this.#timer = setTimeout(() => {
      this.#forget();
      this.#terminate();
    }, KEEP_MS).unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    const others = idle.get(this.#script)?.filter((thread) => thread !== this) ?? [];
    if (others.length > 0) idle.set(this.#script, others);
    else idle.delete(this.#script);
  }
}
