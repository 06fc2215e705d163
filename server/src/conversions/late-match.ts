import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps, Worker } from '../shared/deps.ts';
import type { BegunSession } from '../tracking/index.ts';
import { matchWaiting, waitingOf, waitingSince } from './match-waiting.ts';
import { findWaitingAccounts, findWaitingFor, forgetWaiting, listWaiting } from './queries.ts';

/** Between two looks: sessions that begin meanwhile share one, so that a busy ingest does not pay for each. */
const LOOK_EVERY_MS = 250;
const SWEEP_EVERY_MS = 5 * 60_000;
const SWEEP_AGAIN_MS = 10_000;
const PAGE = 1000;
const MAX_SESSIONS = 50_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Matches waiting reports with sessions that arrive after them. Sessions are told of as they begin; a sweep over all that
 * waits, at the start and every few minutes, finds what nobody was told of, because a process died.
 */
export class LateMatch implements Worker {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  #begun: BegunSession[] = [];
  #sweepAt = 0;
  #wake = () => {};
  readonly #stopping = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#done;
  }

  sessionsBegan(sessions: readonly BegunSession[]): void {
    // More than is looked up in time is left to a sweep.
    if (this.#begun.length + sessions.length > MAX_SESSIONS) {
      this.#sweepAt = Math.min(this.#sweepAt, Date.now() + SWEEP_AGAIN_MS);
    } else this.#begun.push(...sessions);
    this.#wake();
  }

  /** Matches what waited for the sessions that began since the last look. */
  async matchBegun(): Promise<void> {
    const { db, clock } = this.#deps;
    const begun = this.#begun;
    if (begun.length === 0) return;
    this.#begun = [];
    const accounts = [...new Set(begun.map(({ accountId }) => accountId))];
    const concerned = new Set((await findWaitingAccounts(db, accounts)).map((row) => row.account_id));
    const wanted = begun.filter(({ accountId }) => concerned.has(accountId));
    for (let i = 0; i < wanted.length; i += PAGE) {
      const pairs = wanted
        .slice(i, i + PAGE)
        .flatMap(({ accountId, digests }) => digests.map((digest) => ({ accountId, digest })));
      const rows = await findWaitingFor(
        db,
        pairs.map(({ accountId }) => accountId),
        pairs.map(({ digest }) => digest),
      );
      for (let j = 0; j < rows.length; j += PAGE) {
        await matchWaiting(db, rows.slice(j, j + PAGE).map(waitingOf), clock());
      }
    }
  }

  /** Forgets what waited for 30 days, then looks for the session of everything that waits. */
  async sweep(): Promise<void> {
    const { db, clock } = this.#deps;
    const since = waitingSince(clock());
    while ((await forgetWaiting(db, since, PAGE)).length === PAGE && !this.#stopping.signal.aborted);
    let last = { account_id: FIRST, id: FIRST };
    while (!this.#stopping.signal.aborted) {
      const rows = await listWaiting(db, last.account_id, last.id, PAGE);
      await matchWaiting(db, rows.map(waitingOf), clock());
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = end;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (Date.now() >= this.#sweepAt) {
          this.#sweepAt = Date.now() + SWEEP_EVERY_MS;
          await this.sweep();
        }
        await this.matchBegun();
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'looking for the sessions of unmatched conversions failed');
        this.#sweepAt = Date.now() + SWEEP_AGAIN_MS;
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      if (this.#begun.length === 0 && !signal.aborted) await this.#rest();
    }
  }

  /** Until a session begins, a sweep is due or the service stops. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, this.#sweepAt - Date.now()));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
