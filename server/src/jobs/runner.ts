import type { Deps, Worker } from '../shared/deps.ts';
import { isConnectionError } from '../shared/postgres/database.ts';
import { handlersOf, JobError, type JobHandler, type JobResult } from './handlers.ts';
import {
  claimJobs,
  failCrashedJobs,
  finishJob,
  giveJobBack,
  type JobRow,
  renewLeases,
  wakeRunners,
} from './queries.ts';
import { removeExpiredJobs } from './remove-expired.ts';
import { expiryOf } from './retention.ts';
import { WakeUp } from './wake-up.ts';

export interface RunnerOptions {
  /** Jobs that this process runs at once. */
  slots: number;
  /** How long a job stays a silent process's. */
  leaseSeconds: number;
  /** Between two looks at the queue, which also renew the leases. */
  pollMs: number;
  sweepMs: number;
}

const DEFAULTS: RunnerOptions = { slots: 2, leaseSeconds: 30, pollMs: 2_000, sweepMs: 60_000 };

/** After the database was lost, a job waits this long for its next start. */
const RETRY_SECONDS = 2;

const INTERNAL = {
  code: 'internal_error',
  detail: 'The job met an unexpected condition; the log has it under its id.',
};
const CRASHED = { code: 'job_crashed', detail: 'Every start of the job ended without a word; it was given up.' };

interface Run {
  row: JobRow;
  progress: number;
  stop: AbortController;
  /** When the lease was surely still held, by this process's own clock that never jumps. */
  renewedAt: number;
  done: Promise<void>;
}

/**
 * Runs jobs, beside the runners of any number of other processes.
 *
 * A job is claimed by one statement, for a lease that is renewed as long as this process lives; once it has run out,
 * another takes the job up. Every claim counts the attempt up, and each write of a run names its own: one that lost its
 * lease changes nothing any more. One account never takes a process's last slot, so that others need not wait for it.
 */
export class JobRunner implements Worker {
  readonly #deps: Deps;
  readonly #options: RunnerOptions;
  readonly #handlers: Map<string, JobHandler>;
  readonly #running = new Set<Run>();
  readonly #wakeUp: WakeUp;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  #turn: Promise<void> | undefined;
  #again = false;
  #sweeping: Promise<void> | undefined;

  constructor(deps: Deps, options: Partial<RunnerOptions> = {}) {
    this.#deps = deps;
    this.#options = { ...DEFAULTS, ...options };
    this.#handlers = handlersOf(deps);
    this.#wakeUp = new WakeUp(deps.db, () => this.wake());
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    const { pollMs, sweepMs } = this.#options;
    const poll = () => {
      this.#abandon();
      this.wake();
    };
    this.#timers = [setInterval(poll, pollMs), setInterval(() => this.#sweep(), sweepMs)];
    void this.#wakeUp.open();
    this.wake();
    this.#sweep();
  }

  /** Stops the work under way and gives it back, so that another process, or the next start, takes it up at once. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#wakeUp.close();
    await Promise.all([this.#turn, this.#sweeping]);
    for (const run of this.#running) run.stop.abort(new Error('the service stops'));
    await Promise.all([...this.#running].map((run) => run.done));
  }

  /** Renews the leases and takes up what is due: now, or as soon as the turn under way is done. */
  wake(): void {
    this.#again = true;
    this.#turn ??= this.#takeTurns().finally(() => {
      this.#turn = undefined;
      if (this.#again && !this.#stopping) this.wake();
    });
  }

  async #takeTurns(): Promise<void> {
    while (this.#again && !this.#stopping) {
      this.#again = false;
      try {
        await this.#renew();
        await this.#claim();
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'the queue of jobs was not reached');
      }
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#running];
    if (held.length === 0) return;
    const at = performance.now();
    const rows = await renewLeases(
      this.#deps.db,
      held.map(({ row }) => row.account_id),
      held.map(({ row }) => row.id),
      held.map(({ row }) => row.attempt),
      held.map(({ progress }) => progress),
      this.#options.leaseSeconds,
    );
    for (const run of held) {
      if (rows.some((row) => row.id === run.row.id && row.attempt === run.row.attempt)) run.renewedAt = at;
      else run.stop.abort(new Error('the job was cancelled, or its lease was lost'));
    }
  }

  /** A process that cannot reach the database stops its jobs before another may take them up. */
  #abandon(): void {
    for (const run of this.#running) {
      if (performance.now() - run.renewedAt > this.#options.leaseSeconds * 1_000) {
        run.stop.abort(new Error('the lease ran out'));
      }
    }
  }

  async #claim(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const { slots, leaseSeconds } = this.#options;
    const now = clock();
    for (const { id, type } of await failCrashedJobs(db, CRASHED, new Date(now), expiryOf(now))) {
      log.error({ job: id, type }, 'a job was given up: every start of it ended without a word');
    }
    while (this.#running.size < slots && !this.#stopping) {
      const at = performance.now();
      const rows = await claimJobs(
        db,
        slots - this.#running.size,
        [...this.#handlers.keys()],
        this.#saturated(),
        new Date(clock()),
        leaseSeconds,
      );
      if (rows.length === 0) return;
      for (const row of rows) this.#begin(row, at);
    }
  }

  /** The accounts that have as many jobs running here as one may have. */
  #saturated(): string[] {
    const most = Math.max(1, this.#options.slots - 1);
    const counts = new Map<string, number>();
    for (const { row } of this.#running) counts.set(row.account_id, (counts.get(row.account_id) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([account]) => account);
  }

  #begin(row: JobRow, renewedAt: number): void {
    const run: Run = { row, progress: 0, stop: new AbortController(), renewedAt, done: Promise.resolve() };
    this.#running.add(run);
    run.done = this.#run(run)
      .catch((error) => this.#deps.log.error({ err: error, job: row.id }, 'the end of a job was not written down'))
      .finally(() => {
        this.#running.delete(run);
        this.wake();
      });
  }

  async #run(run: Run): Promise<void> {
    const { row, stop } = run;
    const handler = this.#handlers.get(row.type);
    let result: JobResult;
    try {
      if (!handler) throw new Error(`there is no handler for jobs of type ${row.type}`);
      stop.signal.throwIfAborted();
      result = await handler.run({
        accountId: row.account_id,
        id: row.id,
        attempt: row.attempt,
        params: row.params,
        signal: stop.signal,
        report: (progress) => {
          if (progress > run.progress) run.progress = Math.min(1, progress);
        },
      });
    } catch (error) {
      return this.#endWithout(run, error);
    }
    // Should the connection break in this very statement, nobody can tell whether it took effect: what was made is kept,
    // and the lease decides.
    if (!(await this.#finish(run, 'completed', result, null))) await handler.discard?.(result);
  }

  async #endWithout(run: Run, error: unknown): Promise<void> {
    const { row, stop } = run;
    const { log } = this.#deps;
    if (stop.signal.aborted) {
      if (this.#stopping) await this.#giveBack(run, 0, 0);
      return;
    }
    const lost = isConnectionError(error) || isConnectionError((error as Error | undefined)?.cause);
    if (lost && (await this.#giveBack(run, 1, RETRY_SECONDS))) return;
    const told = error instanceof JobError ? { code: error.code, detail: error.message } : INTERNAL;
    log.error({ err: error, job: row.id, type: row.type }, 'a job failed');
    await this.#finish(run, 'failed', null, told);
  }

  async #finish(
    { row }: Run,
    status: 'completed' | 'failed',
    result: JobResult | null,
    error: JobRow['error'],
  ): Promise<boolean> {
    const { db, clock } = this.#deps;
    const now = clock();
    const rows = await finishJob(
      db,
      row.account_id,
      row.id,
      row.attempt,
      status,
      result,
      error,
      new Date(now),
      expiryOf(now),
    );
    return rows.length > 0;
  }

  #giveBack({ row }: Run, crashes: number, waitSeconds: number): Promise<boolean> {
    return this.#deps.db.transaction(async (tx) => {
      const rows = await giveJobBack(tx, row.account_id, row.id, row.attempt, crashes, waitSeconds);
      await wakeRunners(tx);
      return rows.length > 0;
    });
  }

  #sweep(): void {
    const removeAll = async () => {
      while (!this.#stopping && (await removeExpiredJobs(this.#deps)) > 0);
    };
    this.#sweeping ??= removeAll()
      .catch((error) => this.#deps.log.warn({ err: error }, 'expired jobs were not removed'))
      .finally(() => {
        this.#sweeping = undefined;
      });
  }
}
