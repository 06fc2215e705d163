/**
 * A listing: `await` gives its first page, `for await` all of its items, page after page as they are needed. It begins
 * when it is asked.
 */
export class Paged<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #load: (pageToken: string | undefined) => Promise<Page>;
  readonly #member: string;

  constructor(member: string, load: (pageToken: string | undefined) => Promise<Page>) {
    this.#member = member;
    this.#load = load;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` is one of the two ways to read a listing
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#load(undefined).then(onPage, onError);
  }

  /** Page after page. */
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

  /** All items, or the first `limit` of them. */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      if (items.length >= limit) break;
      items.push(item);
    }
    return items;
  }
}
