/** An account counts as active for this long after each of its requests. */
const ACTIVE_MS = 1_000;

/** Whether there are several active accounts, so that one must leave something to others. */
export class ActiveAccounts {
  readonly #now: () => number;
  /** The last account that made a request, and the last one but that. */
  #last = { key: '', at: Number.NEGATIVE_INFINITY };
  #other = { key: '', at: Number.NEGATIVE_INFINITY };

  constructor(now: () => number) {
    this.#now = now;
  }

  note(key: string): void {
    if (key !== this.#last.key) [this.#last, this.#other] = [this.#other, this.#last];
    this.#last.key = key;
    this.#last.at = this.#now();
  }

  /** Whether another account than this one is active. */
  hasOthers(key: string): boolean {
    const { at } = this.#last.key === key ? this.#other : this.#last;
    return this.#now() - at < ACTIVE_MS;
  }
}
