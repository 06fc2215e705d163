import { AsyncResource } from 'node:async_hooks';
import { ActiveAccounts } from '../active-accounts.ts';

/** How often it is looked at whether the event loop is late, and from when on it is. */
const CHECK_MS = 20;
const LATE_MS = 15;

/** How many requests of one account run at the same time: at least, and from where on there is no limit. */
const FEWEST = 2;
const MOST = 64;

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Shares the event loop between accounts. While it is late, fewer and fewer requests of each account run at the same time, and the
 * others of that account wait; while it is not, more and more, until all do. An account that is alone waits for nothing.
 */
export class TurnsOfAccounts {
  readonly #accounts = new Map<string, Account>();
  readonly #now: () => number;
  readonly #active: ActiveAccounts;
  #limit = MOST;
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#active = new ActiveAccounts(now);
  }

  /** An account makes a request, which may be one that takes no turn. */
  note(key: string): void {
    this.#active.note(key);
  }

  /**
   * Calls `start` when it is the turn of a request, which may be at once.
   * @returns a function to be called once the request is over, whether it has started or not
   */
  take(key: string, start: () => void): () => void {
    this.note(key);
    const account = this.#accounts.get(key) ?? { running: 0, waiting: [] };
    this.#accounts.set(key, account);
    if (this.#mayStart(key, account)) {
      if (++account.running > FEWEST) this.#watch();
      start();
      return () => this.#leave(key, account);
    }
    const waiter = AsyncResource.bind(start);
    account.waiting.push(waiter);
    return () => {
      const at = account.waiting.indexOf(waiter);
      if (at < 0) this.#leave(key, account);
      else account.waiting.splice(at, 1);
    };
  }

  /** Called at intervals while an account has several requests under way. */
  check(): void {
    const now = this.#now();
    const isLate = now - this.#checkedAt > CHECK_MS + LATE_MS;
    this.#checkedAt = now;
    this.#limit = isLate ? Math.max(FEWEST, this.#limit >> 1) : Math.min(MOST, this.#limit + 1);
    let isBusy = false;
    for (const [key, account] of this.#accounts) {
      this.#startNext(key, account);
      isBusy ||= account.running > FEWEST || account.waiting.length > 0;
    }
    if (isBusy || this.#limit < MOST) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#timer) return;
    this.#checkedAt = this.#now();
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  #mayStart(key: string, { running }: Account): boolean {
    return running < this.#limit || this.#limit === MOST || !this.#active.hasOthers(key);
  }

  #leave(key: string, account: Account): void {
    account.running--;
    this.#startNext(key, account);
    if (account.running === 0) this.#accounts.delete(key);
  }

  #startNext(key: string, account: Account): void {
    while (account.waiting.length > 0 && this.#mayStart(key, account)) {
      account.running++;
      account.waiting.shift()?.();
    }
  }
}
