import type { Deps, Worker } from '../../shared/deps.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { UserActivity } from '../../shared/user-activity.ts';
import type { ReportRunner } from '../engine/index.ts';

const DAY_MS = 86_400_000;
/** The overview that the dashboard shows first: 30 days with the previous period. */
const PERIOD_MS = 60 * DAY_MS;

/** How precisely it is recorded when an account's reports were read. */
const TOUCH_MS = 3_600_000;
/** At the start of a process, the accounts of which reports were read in the last week, and at most this many. */
const RECENT_MS = 7 * DAY_MS;
const MAX_ACCOUNTS = 3;

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
 * Loads the segments of an overview before someone requests it: at the start of the process, and when a dashboard user signs in
 * or comes back, for accounts whose reports are read.
 */
export class ReadAhead implements Worker {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #runner: Pick<ReportRunner, 'run'>;
  /** When the last report of an account was recorded. */
  readonly #touched = new Map<string, number>();

  readonly #settled: () => Promise<unknown>;
  #isStopped = false;

  /** @param settled resolves after the start, when it is known which process runs the reports of an account */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log'>,
    runner: Pick<ReportRunner, 'run'>,
    activity: UserActivity,
    settled: () => Promise<unknown> = async () => {},
  ) {
    this.#deps = deps;
    this.#runner = runner;
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
    const { clock, log } = this.#deps;
    const to = Math.ceil(clock() / DAY_MS) * DAY_MS;
    const plans = [{ period: { from: to - PERIOD_MS, to }, starts: [] }];
    const request = { filters: {}, include: { bots: false, internal: false }, plans };
    find()
      .then((rows) =>
        Promise.all(
          (this.#isStopped ? [] : rows).map((row) =>
            this.#runner.run('count', { ...request, accountId: row.account_id }),
          ),
        ),
      )
      // Whoever requests the report sees the failure.
      .catch((error: unknown) => log.debug({ err: error }, 'reading ahead for reports failed'));
  }
}
