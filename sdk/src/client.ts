import type { ConversionItem, ConversionResult, Entry, ListEntriesResponse, RehearsalResult } from './generated.ts';
import { OPERATIONS, type Operations } from './generated.ts';
import { Paged } from './paging.ts';
import { RETRY, type RetryPolicy } from './retry.ts';
import { type Outgoing, send, type Transport } from './send.ts';
import { transportBy } from './transport.ts';
import { urlOf } from './url.ts';

export interface ClientOptions {
  /** Where the service is, `https://headwater.example`; in a page that it serves itself, nothing. */
  baseUrl?: string | undefined;
  /** A secret API token. Without one the browser's own session is used, if there is any. */
  token?: string | undefined;
  /** Sent with every request, made anew for each. */
  headers?: (() => Record<string, string>) | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  /** How long one attempt may take, in milliseconds; 0 for ever. 30,000 unless given; an upload takes as long as it takes. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Made by the client where the operation takes one; one of your own makes the call repeatable by you, too. */
  idempotencyKey?: string | undefined;
  /** How much of an upload has gone out, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

/** An account's own collections, by id; `headwater types` writes one. */
export type Collections = Record<string, { values: object; newValues: object }>;
/** What is known of collections that no type was written for. */
export type AnyCollections = Record<string, { values: Record<string, unknown>; newValues: Record<string, unknown> }>;

export type EntryOf<C extends Collections, Id extends keyof C> = Omit<Entry, 'values'> & { values: C[Id]['values'] };
export interface EntryPageOf<C extends Collections, Id extends keyof C> extends Omit<ListEntriesResponse, 'entries'> {
  entries: EntryOf<C, Id>[];
}

type FilterValue = string | number | boolean | Date;
/** Operators of one field. All of them must hold, and of a list each; of `in`, one. */
export interface FieldFilter {
  eq?: FilterValue | FilterValue[] | undefined;
  ne?: FilterValue | FilterValue[] | undefined;
  lt?: FilterValue | FilterValue[] | undefined;
  lte?: FilterValue | FilterValue[] | undefined;
  gt?: FilterValue | FilterValue[] | undefined;
  gte?: FilterValue | FilterValue[] | undefined;
  in?: FilterValue[] | undefined;
  contains?: string | string[] | undefined;
  exists?: boolean | 'true' | 'false' | undefined;
}

type Op<Name extends keyof Operations> = Operations[Name];
type Optional<P> = Record<never, never> extends P ? true : false;
type Args<O extends { params: unknown; body: unknown }> = O['body'] extends undefined
  ? O['params'] extends undefined
    ? [options?: CallOptions]
    : Optional<O['params']> extends true
      ? [params?: O['params'], options?: CallOptions]
      : [params: O['params'], options?: CallOptions]
  : O['params'] extends undefined
    ? [body: O['body'], options?: CallOptions]
    : [params: O['params'], body: O['body'], options?: CallOptions];
type Answer<O> = O extends { answer: infer Page; item: infer Item }
  ? Paged<Page, Item>
  : O extends { answer: infer A }
    ? Promise<A>
    : never;

type Generated = { [Name in keyof Operations]: (...args: Args<Op<Name>>) => Answer<Op<Name>> };

/** The operations whose types depend on what goes in. */
interface Particular<C extends Collections> {
  /** List entries, sorted and filtered. */
  listEntries<Id extends keyof C & string>(
    params: Omit<Op<'listEntries'>['params'], 'collectionId'> & {
      collectionId: Id;
      filter?: { [Field in keyof C[Id]['values']]?: FieldFilter } | undefined;
    },
    options?: CallOptions,
  ): Paged<EntryPageOf<C, Id>, EntryOf<C, Id>>;
  /** Create an entry. */
  createEntry<Id extends keyof C & string>(
    params: { collectionId: Id },
    body: { values: C[Id]['newValues'] },
    options?: CallOptions,
  ): Promise<EntryOf<C, Id>>;
  /** Get an entry. */
  getEntry<Id extends keyof C & string>(
    params: Omit<Op<'getEntry'>['params'], 'collectionId'> & { collectionId: Id },
    options?: CallOptions,
  ): Promise<EntryOf<C, Id>>;
  /** Change what is sent of an entry; null takes a value away. */
  updateEntry<Id extends keyof C & string>(
    params: { collectionId: Id; entryId: string },
    body: Omit<Op<'updateEntry'>['body'], 'values'> & {
      values?: { [Field in keyof C[Id]['newValues']]?: C[Id]['newValues'][Field] | null | undefined };
    },
    options?: CallOptions,
  ): Promise<EntryOf<C, Id>>;
  /** Delete an entry, or, permanently, a deleted one for good. */
  deleteEntry<Id extends keyof C & string>(
    params: Omit<Op<'deleteEntry'>['params'], 'collectionId'> & { collectionId: Id },
    options?: CallOptions,
  ): Promise<EntryOf<C, Id>>;
  /** Report a conversion, or many; each result is to be looked at. */
  reportConversion(body: ConversionItem, options?: CallOptions): Promise<ConversionResult>;
  reportConversion(body: ConversionItem[], options?: CallOptions): Promise<ConversionResult[]>;
  /** What a report would be answered and do; nothing is recorded. */
  rehearseConversion(body: ConversionItem, options?: CallOptions): Promise<RehearsalResult>;
  rehearseConversion(body: ConversionItem[], options?: CallOptions): Promise<RehearsalResult[]>;
}

/**
 * The client: a method for each operation of the service. A method takes path and query parameters in one object, then the
 * body, then options; what an operation does not have is left out of the call.
 */
export type Client<C extends Collections = AnyCollections> = Omit<Generated, keyof Particular<C>> & Particular<C>;

interface Row {
  method: string;
  path: string;
  params?: boolean;
  body?: 'json' | 'form';
  pages?: string;
  idempotencyKey?: boolean;
  /** Has its credentials in its body. */
  open?: boolean;
  /** A GET that does something. */
  acts?: boolean;
}

const TIMEOUT_MS = 30_000;

/** Makes a client. @throws TypeError for a base address that is none */
export function createClient<C extends Collections = AnyCollections>(options: ClientOptions = {}): Client<C> {
  const base = (options.baseUrl ?? '').replace(/\/+$/, '');
  if (base !== '' && !URL.canParse(base)) throw new TypeError(`baseUrl is not an address: ${base}`);
  const transport = transportBy(options.fetch ?? ((...args) => globalThis.fetch(...args)));
  const policy = { ...RETRY, ...options.retry };
  const call = (row: Row, args: unknown[]) =>
    callOperation(row, args, { ...options, baseUrl: base }, transport, policy);
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, row]) => [name, (...args: unknown[]) => call(row, args)]),
  ) as unknown as Client<C>;
}

function callOperation(row: Row, args: unknown[], client: ClientOptions, transport: Transport, policy: RetryPolicy) {
  const rest = [...args];
  const params = row.params ? ((rest.shift() as Record<string, unknown> | undefined) ?? {}) : {};
  const body = row.body ? rest.shift() : undefined;
  const options = (rest.shift() as CallOptions | undefined) ?? {};
  const run = (sent: Record<string, unknown>) => send(outgoing(row, sent, body, options, client), transport, policy);
  const { pages } = row;
  if (pages === undefined) return run(params);
  return new Paged(pages, (pageToken) => run(pageToken === undefined ? params : { ...params, pageToken }));
}

function outgoing(
  row: Row,
  params: Record<string, unknown>,
  body: unknown,
  options: CallOptions,
  client: ClientOptions,
): Outgoing {
  const { method } = row;
  const key = row.idempotencyKey ? (options.idempotencyKey ?? randomKey()) : undefined;
  return {
    method,
    url: client.baseUrl + urlOf(row.path, params),
    headers: {
      accept: 'application/json',
      ...client.headers?.(),
      ...(client.token !== undefined && !row.open && { 'x-api-key': `Bearer ${client.token}` }),
      ...(row.body === 'json' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: row.body === 'form' ? formOf(body) : row.body === 'json' ? JSON.stringify(body ?? {}) : undefined,
    credentials: client.token === undefined && !row.open ? 'same-origin' : 'omit',
    isRepeatable: (method === 'GET' && !row.acts) || method === 'DELETE' || method === 'PUT' || key !== undefined,
    timeoutMs: options.timeoutMs ?? (row.body === 'form' ? 0 : (client.timeoutMs ?? TIMEOUT_MS)),
    signal: options.signal,
    onProgress: options.onProgress,
  };
}

function formOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as object)) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : 'file');
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}

/** Not `crypto.randomUUID`: a page that is not served by TLS has none. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
