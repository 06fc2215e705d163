import type { Entries, Entry, ListOptions, ReadOptions, Redirect, Resolved, Where } from './delivery-types.ts';
import { parseExact } from './numbers.ts';

export type {
  DeliveredAsset,
  Entries,
  Entry,
  ListOptions,
  ReadOptions,
  Redirect,
  Ref,
  Resolved,
  Where,
} from './delivery-types.ts';
export type { SchemaFile, SchemaOf } from './schema-types.ts';

export interface DeliveryOptions {
  /** The URL of the service, `https://headwater.example`. */
  url: string;
  /** The publishable key, `hw_pk_…`. */
  key: string;
  fetch?: typeof fetch | undefined;
  /** Keeps responses, which are then only transferred when they have changed: a `Map`, or whatever has its methods. */
  cache?: DeliveryCache | undefined;
  /** `exact`: numbers with more digits than a `number` holds are `ExactNumber`s of `@headwater/sdk`, where JavaScript can read them. By default they are rounded. */
  numbers?: 'exact' | undefined;
}

export interface DeliveryCache {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>;
  set(url: string, answer: CachedAnswer): unknown;
}
export interface CachedAnswer {
  etag: string;
  body: unknown;
}

/** A response other than 200. `errors` has every fault of a request, by its `pointer`. */
export class DeliveryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { pointer: string; code: string; detail: string }[];

  constructor(status: number, problem: { code?: string; detail?: string; errors?: DeliveryError['errors'] }) {
    super(problem.detail ?? `The service responded with status ${status}.`);
    this.status = status;
    this.code = problem.code ?? `http_${status}`;
    this.errors = problem.errors ?? [];
  }
}

/** Longer queries are sent in a body, which proxies do not cache. */
const MAX_URL = 6_000;

/** Reads published content. `Schema` is exported by the file that `headwater schema pull` writes. */
export function createDelivery<Schema>({ url, key, fetch: own, cache, numbers }: DeliveryOptions): Delivery<Schema> {
  const base = `${url.replace(/\/+$/, '')}/v1/content/`;

  async function send(
    path: string,
    parameters: Record<string, unknown>,
    init: RequestInit = {},
    body?: object,
  ): Promise<unknown> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
    const target = `${base}${path}${query.size > 0 ? `?${query}` : ''}`;
    if (target.length > MAX_URL && !body && !path.includes('/')) return send(`${path}/query`, {}, init, parameters);
    const kept = body || parameters.preview ? undefined : cache;
    const known = await kept?.get(target);
    const response = await (own ?? fetch)(target, {
      ...init,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(init.headers as Record<string, string>),
        'x-api-key': `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(known && { 'if-none-match': known.etag }),
      },
    });
    if (response.status === 304 && known) return known.body;
    const text = await response.text();
    let answer: unknown;
    try {
      answer = numbers === 'exact' ? parseExact(text) : JSON.parse(text);
    } catch {
      answer = {};
    }
    if (!response.ok) throw new DeliveryError(response.status, answer as object);
    const etag = response.headers.get('etag');
    if (etag !== null) await kept?.set(target, { etag, body: answer });
    return answer;
  }

  const listOf = async (collection: string, { init, select, expand, sort, total, ...rest }: AnyOptions) =>
    send(
      encodeURIComponent(collection),
      {
        ...rest,
        select: select?.join(','),
        expand: expand?.join(','),
        sort: sort?.join(','),
        count: total ? 'exact' : undefined,
      },
      init,
    ) as Promise<AnyPage>;

  const find = async (path: string, { init, expand, ...rest }: AnyOptions & { path?: string } = {}) => {
    try {
      return await send(path, { ...rest, expand: expand?.join(',') }, init);
    } catch (error) {
      if (error instanceof DeliveryError && error.status === 404) return null;
      throw error;
    }
  };

  const get = (collection: string, entry: string, options?: AnyOptions) =>
    find(`${encodeURIComponent(collection)}/${encodeURIComponent(entry)}`, options);

  async function* pages<Page extends { nextPageToken: string | null }>(
    read: (pageToken: string | undefined) => Promise<Page>,
    first?: string,
  ) {
    let pageToken: string | null | undefined = first;
    do {
      const page: Page = await read(pageToken ?? undefined);
      yield page;
      pageToken = page.nextPageToken;
    } while (pageToken != null);
  }

  async function* each(collection: string, options: AnyOptions = {}) {
    const read = (pageToken: string | undefined) => listOf(collection, { ...options, pageToken });
    for await (const { entries } of pages(read, options.pageToken)) yield* entries;
  }

  async function redirects(options: AnyOptions = {}) {
    const found: unknown[] = [];
    const read = (pageToken: string | undefined) =>
      send('redirects', { pageToken }, options.init) as Promise<{ redirects: unknown[]; nextPageToken: string | null }>;
    for await (const page of pages(read)) found.push(...page.redirects);
    return found;
  }

  const client: AnyDelivery = {
    list: (collection, options = {}) => listOf(collection, options),
    each,
    get,
    single: (collection, options) => get(collection, 'entry', options),
    resolve: (path, options) => find('resolve', { ...options, path }),
    redirects,
  };
  return client as Delivery<Schema>;
}

interface AnyOptions {
  init?: RequestInit | undefined;
  select?: readonly string[] | undefined;
  expand?: readonly string[] | undefined;
  sort?: readonly string[] | undefined;
  total?: boolean | undefined;
  pageToken?: string | undefined;
  preview?: string | undefined;
}
interface AnyPage {
  entries: unknown[];
  nextPageToken: string | null;
}
interface AnyDelivery {
  list(collection: string, options?: AnyOptions): Promise<AnyPage>;
  each(collection: string, options?: AnyOptions): AsyncGenerator<unknown, void>;
  get(collection: string, entry: string, options?: AnyOptions): Promise<unknown>;
  single(collection: string, options?: AnyOptions): Promise<unknown>;
  resolve(path: string, options?: AnyOptions): Promise<unknown>;
  redirects(options?: AnyOptions): Promise<unknown[]>;
}

type Name<Schema> = keyof Schema & string;

/** Methods whose results have what was selected and expanded. */
export interface Delivery<Schema> {
  /** A page of entries. */
  list<C extends Name<Schema>, const Select extends string = never, const Expand extends string = never>(
    collection: C,
    options?: ListOptions<Schema, C, Select, Expand>,
  ): Promise<Entries<Schema, C, Select, Expand>>;
  /** All entries, page by page. */
  each<C extends Name<Schema>, const Select extends string = never, const Expand extends string = never>(
    collection: C,
    options?: ListOptions<Schema, C, Select, Expand>,
  ): AsyncGenerator<Entry<Schema, C, Select, Expand>, void>;
  /** An entry by its ID or slug; null if there is none. */
  get<C extends Name<Schema>, const Expand extends string = never>(
    collection: C,
    entry: string,
    options?: ReadOptions<Schema, C, Expand>,
  ): Promise<Entry<Schema, C, never, Expand> | null>;
  /** The entry of a singleton; null if it is not published. */
  single<C extends Name<Schema>, const Expand extends string = never>(
    collection: C,
    options?: ReadOptions<Schema, C, Expand>,
  ): Promise<Entry<Schema, C, never, Expand> | null>;
  /** The entry whose `url` is a path such as `/de/blog/hello`, in the locale of the path, or where it is now; null if there is none. */
  resolve(
    path: string,
    options?: Pick<ReadOptions<Schema, never>, 'richtext' | 'variant' | 'init'>,
  ): Promise<Resolved<Schema> | null>;
  /** All paths that entries had before, and those that they have now. */
  redirects(options?: { init?: RequestInit | undefined }): Promise<Redirect[]>;
}

export type WhereOf<Schema, C extends Name<Schema>> = Where<Schema, Schema[C]>;
