const REMEMBERED_ACCOUNTS = 1_000;

/** A queue that serves accounts in turn: the next item is of the account that was served the longest time ago. */
export class FairQueue<Item> {
  readonly #maxPerAccount: number;
  /** Items by account, in order of arrival. */
  readonly #items = new Map<string, Item[]>();
  /** Recently served accounts, the latest last. */
  readonly #served = new Set<string>();

  constructor(maxPerAccount: number) {
    this.#maxPerAccount = maxPerAccount;
  }

  /** Returns false when the account has too many items already. */
  push(accountId: string, item: Item): boolean {
    const items = this.#items.get(accountId) ?? [];
    if (items.length >= this.#maxPerAccount) return false;
    items.push(item);
    this.#items.set(accountId, items);
    return true;
  }

  shift(): Item | undefined {
    const accountId = this.#next();
    if (accountId === undefined) return undefined;
    const items = this.#items.get(accountId) ?? [];
    const item = items.shift();
    if (items.length === 0) this.#items.delete(accountId);
    this.#served.delete(accountId);
    this.#served.add(accountId);
    for (const oldest of this.#served) {
      if (this.#served.size <= REMEMBERED_ACCOUNTS) break;
      this.#served.delete(oldest);
    }
    return item;
  }

  /** Removes the matching items of an account and returns them. */
  remove(accountId: string, matches: (item: Item) => boolean): Item[] {
    const items = this.#items.get(accountId) ?? [];
    const removed = items.filter(matches);
    const others = items.filter((item) => !removed.includes(item));
    if (others.length === 0) this.#items.delete(accountId);
    else this.#items.set(accountId, others);
    return removed;
  }

  #next(): string | undefined {
    for (const accountId of this.#items.keys()) if (!this.#served.has(accountId)) return accountId;
    for (const accountId of this.#served) if (this.#items.has(accountId)) return accountId;
    return undefined;
  }
}
