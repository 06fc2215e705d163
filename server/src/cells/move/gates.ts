import type { Listener } from '../../shared/postgres/listener.ts';

/** Channel that closes the gate of an account, `<account> <id to confirm>`, or opens it, as its cell may have changed: `<account>`. */
export const ACCOUNT_GATE = 'headwater_account_gate';
/** Channel of confirmations: `<id to confirm> <server process of the listener>`. */
export const GATE_CLOSED = 'headwater_gate_closed';

/** A gate opens by itself after this time: the process that moves the account may be gone. */
const MAX_CLOSED_MS = 2_000;

interface Gate {
  opened: Promise<void>;
  open(): void;
}

/**
 * Holds the requests of an account for a moment while its cell changes. A process confirms that the gate is closed once its
 * requests that change something are done. A process that misses the notification is refused by the database instead.
 */
export class AccountGates {
  readonly #gates = new Map<string, Gate>();
  readonly #inFlight = new Map<string, number>();
  /** What to call when the last request of an account is done. */
  readonly #waiting = new Map<string, () => void>();

  /**
   * @param listener of the control database, before it is started
   * @param onOpen called for an account whose cell may have changed
   */
  constructor(listener: Listener, onOpen: (account: string) => void) {
    listener.subscribe(ACCOUNT_GATE, (payload, processId) => {
      const [account = '', confirmTo] = payload.split(' ');
      if (confirmTo === undefined) {
        onOpen(account);
        return this.open(account);
      }
      this.#close(account);
      const confirm = () => listener.notify(GATE_CLOSED, `${confirmTo} ${processId}`);
      if (this.#inFlight.has(account)) this.#waiting.set(account, confirm);
      else confirm();
    });
  }

  /** Resolves when the gate opens; undefined if it is open. */
  closed(account: string): Promise<void> | undefined {
    return this.#gates.get(account)?.opened;
  }

  open(account: string): void {
    this.#gates.get(account)?.open();
  }

  openAll(): void {
    for (const gate of this.#gates.values()) gate.open();
  }

  /** Call `leave` when the request is done. */
  enter(account: string): void {
    this.#inFlight.set(account, (this.#inFlight.get(account) ?? 0) + 1);
  }

  leave(account: string): void {
    const left = (this.#inFlight.get(account) ?? 1) - 1;
    if (left > 0) {
      this.#inFlight.set(account, left);
      return;
    }
    this.#inFlight.delete(account);
    const done = this.#waiting.get(account);
    if (done === undefined) return;
    this.#waiting.delete(account);
    done();
  }

  #close(account: string): void {
    this.open(account);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.open(account), MAX_CLOSED_MS).unref();
    const open = () => {
      clearTimeout(timer);
      this.#gates.delete(account);
      this.#waiting.delete(account);
      resolve();
    };
    this.#gates.set(account, { opened: promise, open });
  }
}
