import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps, Worker } from '../../shared/deps.ts';
import { FIRST_ID } from '../../shared/ids.ts';
import { MOST_OVERDUE, type Overdue, overdueRows } from '../../shared/queue.ts';
import { MINUTE } from '../../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { StartedSession } from '../../tracking/index.ts';
import { matchUnmatched, type UnmatchedReport, unmatchedReportOf, unmatchedSince } from './match-unmatched.ts';
import {
  deleteExpiredUnmatched,
  findAccountsWithUnmatched,
  findUnmatchedByDigest,
  listAccountsWithUnmatched,
  listAllUnmatched,
  type UnmatchedRow,
} from './queries.ts';

/** Sessions that start within this interval share one lookup, so that a busy ingest does not pay for each. */
const INTERVAL_MS = 250;
const SWEEP_INTERVAL_MS = 5 * MINUTE;
const SWEEP_RETRY_MS = 10_000;
const PAGE = 1000;
const MAX_SESSIONS = 50_000;

/**
 * Matches unmatched reports with sessions that arrive after them. It is notified of started sessions; a sweep over all
 * unmatched reports, at startup and every few minutes, finds those whose notification was lost in a crash.
 */
export class LateMatcher implements Worker {
  readonly #deps: Pick<Deps, 'db' | 'sessionIds' | 'clock' | 'log'>;
  readonly #loop: WorkerLoop;
  #started: StartedSession[] = [];
  #sweepAt = 0;
  /** When everything was last looked at, or the matcher started. By the monotonic clock; undefined: it does not run. */
  #sweptAt: number | undefined;

  constructor(deps: Pick<Deps, 'db' | 'sessionIds' | 'clock' | 'log'>) {
    this.#deps = deps;
    this.#loop = workerLoop({
      name: 'match unmatched conversions',
      log: deps.log,
      everyMs: SWEEP_RETRY_MS,
      runAtStart: true,
      run: (signal) => this.#run(signal),
    });
  }

  start(): void {
    this.#sweptAt = performance.now();
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  sessionsStarted(sessions: readonly StartedSession[]): void {
    // More than can be looked up in time is left to a sweep.
    if (this.#started.length + sessions.length > MAX_SESSIONS) {
      this.#sweepAt = Math.min(this.#sweepAt, Date.now() + SWEEP_RETRY_MS);
    } else this.#started.push(...sessions);
    this.#loop.wake();
  }

  /** Accounts with unmatched reports, if none was looked at for too long. */
  async findOverdue(before: Date): Promise<Overdue[]> {
    const { db, clock } = this.#deps;
    const patience = clock() - before.getTime();
    if (this.#sweptAt === undefined || performance.now() - this.#sweptAt < SWEEP_INTERVAL_MS + patience) return [];
    const since = new Date(clock() - (performance.now() - this.#sweptAt));
    const rows = await listAccountsWithUnmatched(db, { limit: MOST_OVERDUE });
    return overdueRows(rows.map((row) => ({ ...row, since })));
  }

  /** Matches the unmatched reports of the sessions that started since the last call. */
  async matchStarted(): Promise<void> {
    const { db, clock } = this.#deps;
    const started = this.#started;
    if (started.length === 0) return;
    this.#started = [];
    const accounts = [...new Set(started.map(({ accountId }) => accountId))];
    const concerned = new Set((await findAccountsWithUnmatched(db, { accounts })).map((row) => row.account_id));
    const sessions = started.filter(({ accountId }) => concerned.has(accountId));
    for (let i = 0; i < sessions.length; i += PAGE) {
      const digests = sessions
        .slice(i, i + PAGE)
        .flatMap(({ accountId, digests }) => digests.map((digest) => ({ account_id: accountId, digest })));
      const found = await findUnmatchedByDigest(db, { digests });
      for (let j = 0; j < found.length; j += PAGE) {
        const unmatched = this.#readable(found.slice(j, j + PAGE));
        await matchUnmatched(db, unmatched, clock());
      }
    }
  }

  /** Deletes expired reports, then looks for the sessions of all unmatched reports. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const expired = { before: unmatchedSince(clock()), limit: PAGE };
    while ((await deleteExpiredUnmatched(db, expired)).length === PAGE && !signal?.aborted);
    let last = { account_id: FIRST_ID, id: FIRST_ID };
    while (!signal?.aborted) {
      const page = await listAllUnmatched(db, { after_account: last.account_id, after_id: last.id, limit: PAGE });
      const unmatched = this.#readable(page);
      await matchUnmatched(db, unmatched, clock());
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE) return;
      last = end;
    }
  }

  /** Without those that this version cannot read, which must not keep all others from their sessions. */
  #readable(rows: readonly UnmatchedRow[]): UnmatchedReport[] {
    return rows.flatMap((row) => {
      try {
        return unmatchedReportOf(this.#deps.sessionIds, row);
      } catch (error) {
        this.#deps.log.warn({ err: error, unmatched: row.id }, 'an unmatched conversion cannot be read');
        return [];
      }
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      if (Date.now() >= this.#sweepAt) {
        this.#sweepAt = Date.now() + SWEEP_INTERVAL_MS;
        await this.sweep(signal);
        this.#sweptAt = performance.now();
      }
      await this.matchStarted();
    } catch (error) {
      this.#sweepAt = Date.now() + SWEEP_RETRY_MS;
      throw error;
    }
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}
