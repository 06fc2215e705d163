/** Tells those who prepare something for dashboard users that a user of some accounts signed in or came back. */
export class UserActivity {
  readonly #listeners: ((accountIds: string[]) => void)[] = [];

  onActive(listener: (accountIds: string[]) => void): void {
    this.#listeners.push(listener);
  }

  report(accountIds: string[]): void {
    for (const listener of this.#listeners) listener(accountIds);
  }
}
