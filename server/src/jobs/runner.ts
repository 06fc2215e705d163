import type { Deps, Worker } from '../shared/deps.ts';
import { isConnectionError, isContention, isOutOfResources } from '../shared/postgres/database-errors.ts';
import type { Listener } from '../shared/postgres/listener.ts';
import { backgroundWork, runAs } from '../shared/postgres/work.ts';
import { MINUTE } from '../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../shared/worker-loop.ts';
import { deleteExpiredJobs, expiryOf } from './expire-jobs.ts';
import { JobError, type JobHandlers, type JobResult } from './handler.ts';
import {
  CHANNEL,
  claimJobs,
  failCrashedJobs,
  finishJob,
  type JobRow,
  renewLeases,
  requeueJob,
  wakeRunners,
} from './queries.ts';

export interface RunnerOptions {
  /** Jobs that this process runs at the same time. */
  slots: number;
  /** How long a job belongs to a process that does not renew its lease. */
  leaseSeconds: number;
  /** Between two runs of the loop that renews leases and claims jobs. */
  pollMs: number;
  sweepMs: number;
}

const DEFAULTS: RunnerOptions = { slots: 2, leaseSeconds: 30, pollMs: 2_000, sweepMs: MINUTE };

/** After the database was lost, a job waits this long before its next start. */
const RETRY_SECONDS = 2;

/** After another failure that may pass, it waits ever longer, and fails after this many starts: within five minutes. */
const MAX_ATTEMPTS = 16;
const MAX_RETRY_SECONDS = 20;

const INTERNAL = {
  code: 'internal_error',
  detail: 'An unexpected error occurred. The log has it under the id of the job.',
};
const CRASHED = { code: 'job_crashed', detail: 'The process ended at every start of the job. It will not be retried.' };

interface Run {
  row: JobRow;
  progress: number;
  stop: AbortController;
  /** When the lease was certainly held, by the monotonic clock of this process. */
  renewedAt: number;
  done: Promise<void>;
}

/**
 * Runs jobs, alongside the runners of any number of other processes.
 *
 * A job is claimed by one statement for a lease, which is renewed as long as this process lives; when it expires, another
 * process takes the job over. Every claim increments the attempt, and each write of a run names its attempt, so a run that
 * lost its lease cannot change anything. One account never takes the last slot of a process, so that others need not wait.
 */
export class JobRunner implements Worker {
  readonly #deps: Deps;
  readonly #options: RunnerOptions;
  readonly #handlers: JobHandlers;
  readonly #running = new Set<Run>();
  readonly #claiming: WorkerLoop;
  readonly #sweeping: WorkerLoop;
  #isStopping = false;

  constructor(deps: Deps, listener: Listener, handlers: JobHandlers, options: Partial<RunnerOptions> = {}) {
    this.#deps = deps;
    this.#options = { ...DEFAULTS, ...options };
    this.#handlers = handlers;
    const { log } = deps;
    const { pollMs, sweepMs } = this.#options;
    this.#claiming = workerLoop({
      name: 'renew and claim jobs',
      log,
      everyMs: pollMs,
      runAtStart: true,
      run: () => this.#renewAndClaim(),
    });
    this.#sweeping = workerLoop({
      name: 'delete expired jobs',
      log,
      everyMs: sweepMs,
      runAtStart: true,
      run: async () => (await deleteExpiredJobs(deps, handlers)) > 0,
    });
    listener.subscribe(CHANNEL, () => this.#claiming.wake());
    listener.onInterruption(() => this.#claiming.wake());
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    this.#claiming.start();
    this.#sweeping.start();
  }

  /** Stops the running jobs and returns them to the queue, so that another process, or the next start, continues at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#claiming.stop(), this.#sweeping.stop()]);
    for (const run of this.#running) run.stop.abort(new Error('the service is stopping'));
    await Promise.all([...this.#running].map((run) => run.done));
  }

  async #renewAndClaim(): Promise<void> {
    this.#abortExpired();
    await this.#renew();
    await this.#claim();
  }

  /** A process that cannot reach the database stops its jobs before another one may take them over. */
  #abortExpired(): void {
    for (const run of this.#running) {
      if (performance.now() - run.renewedAt > this.#options.leaseSeconds * 1_000) {
        run.stop.abort(new Error('the lease expired'));
      }
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#running];
    if (held.length === 0) return;
    const at = performance.now();
    const leases = await renewLeases(this.#deps.db, {
      leases: held.map(({ row: { account_id, id, attempt }, progress }) => ({ account_id, id, attempt, progress })),
      lease_seconds: this.#options.leaseSeconds,
    });
    for (const run of held) {
      const lease = leases.find(({ id, attempt }) => id === run.row.id && attempt === run.row.attempt);
      if (lease === undefined) run.stop.abort(new Error('the job was canceled, or its lease was lost'));
      else if (lease.is_renewed) run.renewedAt = at;
    }
  }

  async #claim(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const { slots, leaseSeconds } = this.#options;
    const now = clock();
    const ended = { error: JSON.stringify(CRASHED), finished_at: new Date(now), expires_at: expiryOf(now) };
    for (const { id, type } of await failCrashedJobs(db, ended)) {
      log.error({ job: id, type }, 'a job failed: the process ended at every start of it');
    }
    while (this.#running.size < slots && !this.#isStopping) {
      const at = performance.now();
      const claimed = await claimJobs(db, {
        limit: slots - this.#running.size,
        types: Object.keys(this.#handlers),
        saturated_accounts: this.#saturatedAccounts(),
        now: new Date(clock()),
        lease_seconds: leaseSeconds,
      });
      if (claimed.length === 0) return;
      for (const row of claimed) this.#start(row, at);
    }
  }

  /** The accounts that run as many jobs here as one account may. */
  #saturatedAccounts(): string[] {
    const most = Math.max(1, this.#options.slots - 1);
    const counts = new Map<string, number>();
    for (const { row } of this.#running) counts.set(row.account_id, (counts.get(row.account_id) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([account]) => account);
  }

  #start(row: JobRow, renewedAt: number): void {
    const run: Run = { row, progress: 0, stop: new AbortController(), renewedAt, done: Promise.resolve() };
    this.#running.add(run);
    run.done = runAs(backgroundWork(row.account_id), () => this.#run(run))
      .catch((error) => this.#deps.log.error({ err: error, job: row.id }, 'the end of a job was not stored'))
      .finally(() => {
        this.#running.delete(run);
        this.#claiming.wake();
      });
  }

  async #run(run: Run): Promise<void> {
    const { row, stop } = run;
    const handler = this.#handlers[row.type];
    let result: JobResult;
    try {
      if (!handler) throw new Error(`there is no handler for jobs of type ${row.type}`);
      stop.signal.throwIfAborted();
      result = await handler.run({
        accountId: row.account_id,
        id: row.id,
        attempt: row.attempt,
        params: row.params,
        author: { type: row.author_type, id: row.author_id },
        signal: stop.signal,
        report: (progress) => {
          if (progress > run.progress) run.progress = Math.min(1, progress);
        },
      });
    } catch (error) {
      return this.#fail(run, error);
    }
    // If the connection breaks in this very statement, it is unknown whether it took effect: the result is kept, and the
    // lease decides.
    if (!(await this.#finish(run, 'completed', result, null))) await handler.discard?.(result);
  }

  async #fail(run: Run, error: unknown): Promise<void> {
    const { row, stop } = run;
    if (stop.signal.aborted) {
      if (this.#isStopping) await this.#requeue(run, 0, 0);
      return;
    }
    const isLost = isConnectionError(error) || isConnectionError((error as Error | undefined)?.cause);
    if (isLost && (await this.#requeue(run, 1, RETRY_SECONDS))) return;
    const mayPass = isOutOfResources(error) || isContention(error) || (error instanceof JobError && error.mayPass);
    if (mayPass && row.attempt < MAX_ATTEMPTS) {
      this.#deps.log.warn({ err: error, job: row.id, type: row.type }, 'a job failed and will be started again');
      if (await this.#requeue(run, 0, Math.min(2 ** row.attempt, MAX_RETRY_SECONDS))) return;
    }
    this.#deps.log.error({ err: error, job: row.id, type: row.type }, 'a job failed');
    const shown = error instanceof JobError ? { code: error.code, detail: error.message } : INTERNAL;
    await this.#finish(run, 'failed', null, shown);
  }

  async #finish(
    { row }: Run,
    status: 'completed' | 'failed',
    result: JobResult | null,
    error: JobRow['error'],
  ): Promise<boolean> {
    const { db, clock } = this.#deps;
    const now = clock();
    const finished = await finishJob(db, {
      account_id: row.account_id,
      id: row.id,
      attempt: row.attempt,
      status,
      result: result && JSON.stringify(result),
      error: error && JSON.stringify(error),
      finished_at: new Date(now),
      expires_at: expiryOf(now),
    });
    return finished.length > 0;
  }

  #requeue({ row: { account_id, id, attempt } }: Run, crashes: number, waitSeconds: number): Promise<boolean> {
    return this.#deps.db.transaction(async (tx) => {
      const requeued = await requeueJob(tx, { account_id, id, attempt, crashes, wait_seconds: waitSeconds });
      await wakeRunners(tx);
      return requeued.length > 0;
    });
  }
}
