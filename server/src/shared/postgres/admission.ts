import { ActiveAccounts } from '../active-accounts.ts';
import type { Lane, Work } from './work.ts';

/** How fast it is forgotten how much an account used: half of it in this time. */
const HALF_LIFE_MS = 10_000;
/** Accounts of which nothing runs or waits are forgotten from this number on. */
const MAX_IDLE = 1_000;
/** Whoever has a connection for longer lets PostgreSQL compute, or waits for others. */
const LONG_MS = 100;
/** Connections for each processor that one account has at once if nobody else is active, however long it needs them: some wait. */
const ALONE = 2;

interface Waiter {
  work: Work | undefined;
  start(): void;
}

interface Account {
  readonly key: string;
  running: number;
  /** Milliseconds of connections, as of `at`. */
  usedMs: number;
  at: number;
  /** How many connections it may have: one less than there are processors after a long use, one more with each short use of all. */
  most: number;
  waiting: Waiter[];
}

/** The right to one connection, until it is handed back to `leave`. */
export interface Admitted {
  account: Account;
  lane: Lane;
  since: number;
}

/**
 * Shares the connections of a pool between accounts, by the time for which they have them.
 *
 * An account may have as many connections as are free, so one alone has half of them, two have a third each, and there is always
 * one for an account that has none ("dynamic threshold" in switches that share a buffer). Statements that compute all the time would leave
 * no processor to the service itself: while others are active, an account has no more connections than there are processors, and one less if it
 * used one for long; alone, it has more than two for each processor only while it uses them shortly, as long statements would still run when
 * another account comes. Of the accounts that wait, the next is the one that had connections for the least time lately.
 */
export class Admission {
  readonly #ofLane: Readonly<Record<Lane, number>>;
  readonly #inLane: Record<Lane, number> = { ingest: 0, requests: 0, reports: 0, background: 0 };
  readonly #accounts = new Map<string, Account>();
  readonly #queued = new Set<Account>();
  readonly #now: () => number;
  readonly #active: ActiveAccounts;
  readonly #processors: number;
  #free: number;
  #waiting = 0;

  /** @param processors of the server, if it shares them with the service */
  constructor(slots: number, now: () => number = () => performance.now(), processors = Number.POSITIVE_INFINITY) {
    this.#free = slots;
    this.#now = now;
    this.#active = new ActiveAccounts(now);
    this.#processors = processors;
    const part = (share: number) => Math.max(1, Math.ceil(slots * share));
    this.#ofLane = { ingest: slots, requests: slots, reports: part(1 / 3), background: part(1 / 2) };
  }

  /** Works that wait for a connection. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Admits at once if that is fair; otherwise call `wait`. */
  enter(work: Work | undefined): Admitted | undefined {
    const account = this.#accountOf(work?.account ?? '');
    if (account.key !== '') this.#active.note(account.key);
    return this.#mayStart(account, work) ? this.#start(account, work) : undefined;
  }

  /**
   * @throws what `late` returns once the work had no connection for `ms`, not even for another statement, and what `ended` returns when it has
   * ended
   */
  wait(work: Work | undefined, ms: number, late: () => Error, ended: () => Error): Promise<Admitted> {
    const account = this.#accountOf(work?.account ?? '');
    return new Promise((resolve, reject) => {
      let ignoreEnd: (() => void) | undefined;
      const waiter: Waiter = {
        work,
        start: () => {
          clearTimeout(timer);
          ignoreEnd?.();
          resolve(this.#start(account, work));
        },
      };
      const leave = (error: Error) => {
        const at = account.waiting.indexOf(waiter);
        if (at < 0) return;
        clearTimeout(timer);
        ignoreEnd?.();
        account.waiting.splice(at, 1);
        this.#removed(account);
        reject(error);
      };
      const giveUpUnlessServed = (servedBefore = work?.served) =>
        setTimeout(() => {
          const isServed = work !== undefined && (work.isConnected || work.served !== servedBefore);
          if (account.key !== '' && isServed) timer = giveUpUnlessServed();
          else leave(late());
        }, ms);
      let timer = giveUpUnlessServed();
      account.waiting.push(waiter);
      this.#queued.add(account);
      this.#waiting++;
      ignoreEnd = work?.onEnd(() => leave(ended()));
    });
  }

  leave({ account, lane, since }: Admitted): void {
    const now = this.#now();
    if (now - since > LONG_MS) account.most = Math.max(1, this.#processors - 1);
    else if (account.running >= account.most) account.most++;
    account.running--;
    this.#inLane[lane]--;
    this.#free++;
    if (account.key !== '') {
      account.usedMs = this.#usedOf(account, now) + now - since;
      account.at = now;
    }
    for (let next = this.#next(now); next !== undefined; next = this.#next(now)) next.start();
    if (this.#accounts.size > MAX_IDLE && account.running === 0) this.#forgetIdle();
  }

  #accountOf(key: string): Account {
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = { key, running: 0, usedMs: 0, at: 0, most: this.#processors, waiting: [] };
      this.#accounts.set(key, account);
    }
    return account;
  }

  #mayStart(account: Account, work: Work | undefined): boolean {
    if (work?.holdsConnection) return true;
    const lane = work?.lane ?? 'requests';
    if (this.#free <= 0 || this.#inLane[lane] >= this.#ofLane[lane]) return false;
    if (account.key === '') return true;
    if (account.running >= this.#free) return false;
    const { key, most } = account;
    const fair = this.#active.hasOthers(key)
      ? Math.min(most, this.#processors)
      : Math.max(most, ALONE * this.#processors);
    return account.running < fair;
  }

  #start(account: Account, work: Work | undefined): Admitted {
    const lane = work?.lane ?? 'requests';
    account.running++;
    this.#inLane[lane]++;
    this.#free--;
    return { account, lane, since: this.#now() };
  }

  #next(now: number): Waiter | undefined {
    if (this.#waiting === 0 || this.#free <= 0) return undefined;
    let least: Account | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const account of this.#queued) {
      if (!this.#mayStart(account, account.waiting[0]?.work)) continue;
      const used = this.#usedOf(account, now);
      if (used < leastMs) [least, leastMs] = [account, used];
    }
    if (least === undefined) return undefined;
    const waiter = least.waiting.shift();
    this.#removed(least);
    return waiter;
  }

  #removed(account: Account): void {
    this.#waiting--;
    if (account.waiting.length === 0) this.#queued.delete(account);
  }

  #usedOf({ usedMs, at }: Account, now: number): number {
    return usedMs === 0 ? 0 : usedMs * 2 ** ((at - now) / HALF_LIFE_MS);
  }

  #forgetIdle(): void {
    for (const [key, { running, waiting }] of this.#accounts) {
      if (running === 0 && waiting.length === 0) this.#accounts.delete(key);
    }
  }
}
