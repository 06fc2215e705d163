import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from '../../shared/deps.ts';
import { ApiError, badRequest } from '../../shared/errors.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { startThread } from '../../shared/run-in-thread.ts';
import { FairQueue } from './fair-queue.ts';
import type { ReportRequest, ReportRequests, ReportResults } from './report-engine.ts';
import type { ThreadResponse } from './report-thread.ts';

/** The thread, and the memory of its cache, is released after this long without a report. */
const IDLE_MS = 10 * 60_000;

const MAX_QUEUED_PER_ACCOUNT = 32;

export interface ReportLimits {
  /** A report fails this long after it was requested. */
  answerMs: number;
  /** A report may run this long, so that the next attempt finds its data in the cache; then its thread is terminated. */
  runMs: number;
}

const LIMITS: ReportLimits = { answerMs: 9_000, runMs: 15_000 };

/** Bounds the objects of the thread. Buffers are bounded by the engine. */
const HEAP_MB = 1_024;

/** Whether the client has disconnected, so that the report is no longer needed. */
export type IsAborted = () => boolean;

interface Task {
  request: ReportRequest;
  isAborted: IsAborted;
  timer: NodeJS.Timeout;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * Runs reports in a thread, one after another, so that they do not block requests. Accounts take turns, so that many reports of
 * one do not delay those of another. A report whose client has disconnected before its turn is skipped: someone who clicks
 * through periods waits for the last one only.
 */
export class ReportRunner implements Worker {
  readonly #db: Pick<Database, 'connection'>;
  readonly #limits: ReportLimits;
  readonly #queue = new FairQueue<Task>(MAX_QUEUED_PER_ACCOUNT);
  #thread: Thread | undefined;
  #current: Task | undefined;
  #runTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(db: Pick<Database, 'connection'>, limits: Partial<ReportLimits> = {}) {
    this.#db = db;
    this.#limits = { ...LIMITS, ...limits };
  }

  start(): void {}

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#detach();
    const stopped = new Error('the service is stopping');
    this.#settle((task) => task.reject(stopped));
    for (let task = this.#queue.shift(); task; task = this.#queue.shift()) task.reject(stopped);
    await thread?.terminate();
  }

  /** @throws ApiError 429 when too many reports are waiting, 500 when the report takes too long, 400 when it is too large */
  run<Type extends keyof ReportRequests>(
    type: Type,
    request: ReportRequests[Type],
    isAborted: IsAborted,
  ): Promise<ReportResults[Type]> {
    clearTimeout(this.#idleTimer);
    for (const task of this.#queue.remove(request.accountId, (each) => each.isAborted())) skip(task);
    return new Promise<ReportResults[Type]>((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(task), this.#limits.answerMs).unref();
      const task: Task = { request: { ...request, type } as ReportRequest, isAborted, timer, resolve, reject };
      if (!this.#queue.push(request.accountId, task)) {
        clearTimeout(timer);
        reject(
          overloaded('Too many reports of this account are waiting. Wait for their responses before sending more.'),
        );
      } else if (!this.#current) this.#startNext();
    });
  }

  #startNext(): void {
    for (let task = this.#queue.shift(); task; task = this.#queue.shift()) {
      if (!task.isAborted()) {
        this.#current = task;
        this.#thread ??= this.#startThread();
        this.#thread.postMessage(task.request);
        this.#runTimer = setTimeout(() => this.#restart(), this.#limits.runMs).unref();
        return;
      }
      skip(task);
    }
    this.#idleTimer = setTimeout(() => void this.#detach()?.terminate(), IDLE_MS).unref();
  }

  #expire(task: Task): void {
    if (task === this.#current) {
      const detail = 'The report took too long. Retry it, request a shorter period, or use fewer dimensions.';
      task.reject(new ApiError(500, 'timed_out', detail, { headers: { 'retry-after': '5' } }));
    } else if (this.#queue.remove(task.request.accountId, (each) => each === task).length > 0) {
      task.reject(overloaded('Other reports took too long, so this one was not started. Retry it.'));
    }
  }

  /** Ends the running report with its thread, whatever it waits for. */
  #restart(): void {
    void this.#detach()?.terminate();
    this.#finish((task) => task.reject(new Error('the report was terminated')));
  }

  #settle(settle: (task: Task) => void): boolean {
    clearTimeout(this.#runTimer);
    const task = this.#current;
    this.#current = undefined;
    if (!task) return false;
    clearTimeout(task.timer);
    settle(task);
    return true;
  }

  #finish(settle: (task: Task) => void): void {
    if (this.#settle(settle)) this.#startNext();
  }

  #startThread(): Thread {
    const thread = startThread(new URL('./report-thread.ts', import.meta.url), {
      workerData: this.#db.connection,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: 'reports',
    });
    thread.unref();
    thread.on('message', (response: ThreadResponse) => {
      if (this.#thread !== thread) return;
      this.#finish((task) => {
        if ('result' in response) task.resolve(response.result as never);
        else if ('refusal' in response) task.reject(badRequest(response.refusal.code, response.refusal.detail));
        else task.reject(response.error);
      });
    });
    const onFailure = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#detach();
      this.#finish((task) => task.reject(error));
    };
    thread.once('error', onFailure);
    thread.once('exit', () => onFailure(new Error('the report thread exited')));
    return thread;
  }

  /** Ignores from now on what the thread sends. */
  #detach(): Thread | undefined {
    const thread = this.#thread;
    this.#thread = undefined;
    return thread;
  }
}

function skip(task: Task): void {
  clearTimeout(task.timer);
  task.reject(badRequest('request_aborted', 'The client disconnected before the report was ready.'));
}

function overloaded(detail: string): ApiError {
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
}
