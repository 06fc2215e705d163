/**
 * A paged list. `await` returns its first page; `for await` iterates over all items and loads pages as needed. Nothing is
 * requested until then.
 */
export class Paged<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #load: (pageToken: string | undefined) => Promise<Page>;
  readonly #member: string;

  constructor(member: string, load: (pageToken: string | undefined) => Promise<Page>) {
    this.#member = member;
    this.#load = load;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting the list returns its first page
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#load(undefined).then(onPage, onError);
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let token: string | undefined;
    do {
      const page = await this.#load(token);
      yield page;
      token = (page as { nextPageToken?: string | null }).nextPageToken ?? undefined;
    } while (token !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page as Record<string, Item[]>)[this.#member] ?? [];
  }

  /** Loads all items, or the first `limit`. */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      if (items.length >= limit) break;
      items.push(item);
    }
    return items;
  }
}
