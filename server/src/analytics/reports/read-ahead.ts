import type { Deps, Worker } from '../../shared/deps.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { DAY, HOUR, MINUTE } from '../../shared/units.ts';
import type { UserActivity } from '../../shared/user-activity.ts';

/** How precisely it is recorded when an account's reports were read. */
const TOUCH_MS = HOUR;
/** At the start of a process, the accounts of which reports were read in the last week, and at most this many. */
const RECENT_MS = 7 * DAY;
const MAX_ACCOUNTS = 3;
/** What was read this long ago need not be read again. */
const FRESH_MS = MINUTE;

const touchReader = statement('analytics.touch_reader', { account_id: 'uuid', read_at: 'timestamptz' }).runs(
  `insert into analytics_readers (account_id, read_at) values (:account_id, :read_at)
   on conflict (account_id) do update set read_at = excluded.read_at`,
);

const findRecentReaders = statement('analytics.find_recent_readers', {
  since: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string }>(
  'select account_id from analytics_readers where read_at >= :since order by read_at desc limit :limit',
);

const findReaders = statement('analytics.find_readers', { account_ids: 'uuid[]', limit: 'integer' }).returns<{
  account_id: string;
}>(
  `select account_id from analytics_readers where account_id = any(:account_ids)
   order by read_at desc limit :limit`,
);

/**
 * Computes the overview before someone requests it: at the start of the process, and when a dashboard user signs in
 * or comes back, for accounts whose reports are read.
 */
export class ReadAhead implements Worker {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #read: (accountId: string) => Promise<unknown>;
  /** When the last report of an account was recorded. */
  readonly #touched = new Map<string, number>();
  /** When accounts were read ahead last. */
  readonly #startedAt = new Map<string, number>();
  readonly #settled: () => Promise<unknown>;
  #isStopped = false;

  /**
   * @param read computes the overview of an account
   * @param settled resolves after the start, when it is known which process runs the reports of an account
   */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log'>,
    read: (accountId: string) => Promise<unknown>,
    activity: UserActivity,
    settled: () => Promise<unknown> = async () => {},
  ) {
    this.#deps = deps;
    this.#read = read;
    this.#settled = settled;
    activity.onActive((accountIds) => {
      this.#load(() => findReaders(deps.db, { account_ids: accountIds, limit: MAX_ACCOUNTS }));
    });
  }

  start(): void {
    const { db, clock } = this.#deps;
    this.#load(() =>
      this.#settled().then(() => findRecentReaders(db, { since: clock() - RECENT_MS, limit: MAX_ACCOUNTS })),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
  }

  /** Records that a report of the account is read. */
  touch(accountId: string): void {
    const { db, clock, log } = this.#deps;
    const now = clock();
    if (now - (this.#touched.get(accountId) ?? 0) < TOUCH_MS) return;
    this.#touched.set(accountId, now);
    touchReader(db, { account_id: accountId, read_at: now }).catch((error: unknown) => {
      this.#touched.delete(accountId);
      log.debug({ err: error }, 'recording that reports are read failed; the next report retries');
    });
  }

  #load(find: () => Promise<{ account_id: string }[]>): void {
    find()
      .then(async (rows) => {
        for (const { account_id } of rows) {
          if (this.#isDue(account_id)) await this.#read(account_id).catch((error: unknown) => this.#report(error));
        }
      })
      .catch((error: unknown) => this.#report(error));
  }

  /** Whoever requests the report sees the failure. */
  #report(error: unknown): void {
    this.#deps.log.debug({ err: error }, 'reading ahead for reports failed');
  }

  /** Someone who signs in to a process that has just started would wait for the same report twice. */
  #isDue(accountId: string): boolean {
    const now = this.#deps.clock();
    for (const [id, at] of this.#startedAt) if (now - at >= FRESH_MS) this.#startedAt.delete(id);
    if (this.#isStopped || this.#startedAt.has(accountId)) return false;
    this.#startedAt.set(accountId, now);
    return true;
  }
}
