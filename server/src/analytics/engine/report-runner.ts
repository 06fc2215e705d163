import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from '../../shared/deps.ts';
import { ApiError, badRequest } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Replica } from '../../shared/postgres/replica.ts';
import { startThread } from '../../shared/run-in-thread.ts';
import { MINUTE } from '../../shared/units.ts';
import { BusyWatch } from './pace.ts';
import type { EngineConnections } from './pools.ts';
import type { ReportRequest, ReportRequests, ReportResults } from './report-engine.ts';
import type { ThreadRequest, ThreadResponse } from './report-thread.ts';

/** The thread, and the memory of its cache, is released after this long without a report. */
const IDLE_MS = 10 * MINUTE;

const MAX_QUEUED_PER_ACCOUNT = 32;

interface ReportLimits {
  /** A report fails this long after it was requested. */
  answerMs: number;
  /** A report may run this long, so that the next attempt finds its data in the cache; then its thread is terminated. */
  runMs: number;
}

export const REPORT_MS = 9_000;
const LIMITS: ReportLimits = { answerMs: REPORT_MS, runMs: 15_000 };

/** Bounds the objects of the thread. Buffers are bounded by the engine. */
const HEAP_MB = 1_024;

/** What the thread is running. */
interface Running {
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * Runs reports in a thread, one after another, so that they do not block requests. Accounts take turns, so that many reports of
 * one do not delay those of another. A report whose client has disconnected before its turn is skipped: someone who clicks
 * through periods waits for the last one only.
 */
export class ReportRunner implements Worker {
  readonly #db: Pick<Database, 'connection' | 'isDistributed'>;
  readonly #replica: Pick<Replica, 'connection' | 'isUsable'> | undefined;
  readonly #limits: ReportLimits;
  readonly #queue = new FairQueue({ slots: 1, slotsPerKey: 1, queuedPerKey: MAX_QUEUED_PER_ACCOUNT });
  readonly #stopping = new AbortController();
  readonly #watch = new BusyWatch();
  #thread: Thread | undefined;
  #running: Running | undefined;
  #runTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param replica which is read instead of `db` while it is recent enough */
  constructor(
    db: Pick<Database, 'connection' | 'isDistributed'>,
    limits: Partial<ReportLimits> = {},
    replica?: Pick<Replica, 'connection' | 'isUsable'>,
  ) {
    this.#db = db;
    this.#replica = replica;
    this.#limits = { ...LIMITS, ...limits };
  }

  start(): void {}

  async stop(): Promise<void> {
    const stopped = new Error('the service is stopping');
    this.#stopping.abort(stopped);
    clearTimeout(this.#idleTimer);
    const thread = this.#detach();
    this.#finish((running) => running.reject(stopped));
    await thread?.terminate();
  }

  /**
   * @param abandoned aborted when the client no longer waits for the report
   * @throws ApiError 429 when too many reports are waiting, 500 when the report takes too long, 400 when it is too large
   */
  run<Type extends keyof ReportRequests>(
    type: Type,
    request: ReportRequests[Type],
    abandoned?: AbortSignal,
  ): Promise<ReportResults[Type]> {
    clearTimeout(this.#idleTimer);
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.#stopping.signal, ...(abandoned ? [abandoned] : [])]);
    return new Promise((resolve, reject) => {
      let isRunning = false;
      const timer = setTimeout(() => {
        if (isRunning) reject(timedOut());
        else late.abort(overloaded());
      }, this.#limits.answerMs).unref();
      const start = () => {
        isRunning = true;
        return this.#runInThread({ ...request, type } as ReportRequest);
      };
      this.#queue
        .run(request.accountId, { signal }, start)
        .then((result) => resolve(result as ReportResults[Type]))
        .catch((error: unknown) => reject(abandoned?.aborted && error === abandoned.reason ? skipped() : error))
        .finally(() => {
          clearTimeout(timer);
          if (this.#queue.size === 0) this.#releaseLater();
        });
    });
  }

  async #runInThread(request: ReportRequest): Promise<unknown> {
    this.#stopping.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
      this.#watch.start();
      this.#thread ??= this.#startThread();
      const onReplica = request.mayReadReplica !== false && this.#replica?.isUsable === true;
      this.#thread.postMessage({ request, onReplica } satisfies ThreadRequest);
      this.#runTimer = setTimeout(() => this.#restart(), this.#limits.runMs).unref();
    });
  }

  /** Ends the running report with its thread, whatever it waits for. */
  #restart(): void {
    void this.#detach()?.terminate();
    this.#finish((running) => running.reject(new Error('the report was terminated')));
  }

  #releaseLater(): void {
    clearTimeout(this.#idleTimer);
    if (this.#stopping.signal.aborted) return;
    this.#idleTimer = setTimeout(() => void this.#detach()?.terminate(), IDLE_MS).unref();
  }

  #finish(settle: (running: Running) => void): void {
    clearTimeout(this.#runTimer);
    this.#watch.stop();
    const running = this.#running;
    this.#running = undefined;
    if (running) settle(running);
  }

  #startThread(): Thread {
    const thread = startThread(new URL('./report-thread.ts', import.meta.url), {
      workerData: {
        primary: this.#db.connection,
        replica: this.#replica?.connection,
        isDistributed: this.#db.isDistributed ?? false,
        busy: this.#watch.busy,
      } satisfies EngineConnections,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: 'reports',
    });
    thread.unref();
    thread.on('message', (response: ThreadResponse) => {
      if (this.#thread !== thread) return;
      this.#finish((running) => {
        if ('result' in response) running.resolve(response.result as never);
        else if ('refusal' in response) running.reject(badRequest(response.refusal.code, response.refusal.detail));
        else running.reject(response.error);
      });
    });
    const onFailure = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#detach();
      this.#finish((running) => running.reject(error));
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

function skipped(): ApiError {
  return badRequest('request_aborted', 'The client disconnected before the report was ready.');
}

function timedOut(): ApiError {
  const detail = 'The report took too long. Retry it, request a shorter period, or use fewer dimensions.';
  return new ApiError(500, 'timed_out', detail, { headers: { 'retry-after': '5' } });
}

function overloaded(): ApiError {
  const detail = 'Other reports took too long, so this one was not started. Retry it.';
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
}
