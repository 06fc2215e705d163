import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type AnyRequest, type FuzzedRoute, requestFor } from '../../test/arbitrary-request.ts';
import type { Furnished } from '../../test/furnished-account.ts';
import { pathOf } from '../../test/route-table.ts';
import { dashboardHeaders, type TestUser } from '../../test/users.ts';
import type { Operation } from './operations.ts';
import type { Seed } from './seeds.ts';
import type { Seen } from './seen.ts';

/** Who makes a request. */
const CALLERS = ['owner', 'token', 'publishable', 'postback', 'other', 'unknown', 'nobody'] as const;
export type Caller = (typeof CALLERS)[number];

export interface FuzzedRequest extends AnyRequest {
  operation: Operation;
  caller: Caller;
}

/** Operations that take away what the others need: tried less often. */
const DESTRUCTIVE = /^DELETE |\/delete$|leave$|end-others$|sign-out$|erase$/;

export const isDestructive = ({ name }: Pick<Operation, 'name'>): boolean => DESTRUCTIVE.test(name);

/** What takes things away comes last, and the parts of a thing before the thing. */
export function inOrder(operations: readonly Operation[]): Operation[] {
  const depth = ({ url }: Operation) => (/account\/\w+$/.test(url) ? 0 : url.split('/').length);
  const destructive = operations.filter(isDestructive).sort((a, b) => depth(b) - depth(a));
  return [...operations.filter((each) => !isDestructive(each)), ...destructive];
}

/** An account, and valid requests for what it has, by operation. */
export interface Seeded {
  account: Furnished;
  seeds: ReadonlyMap<string, Seed>;
}

/** Random requests for an operation, by an account, for what is its own or another's, or what earlier responses named. */
export function requestsFor(
  operation: Operation,
  mine: Seeded,
  theirs: Seeded,
  seen: Seen,
): fc.Arbitrary<FuzzedRequest> {
  const of = ({ account, seeds }: Seeded) =>
    requestFor(operation as FuzzedRoute, operation.method, mine.account, account, seeds.get(operation.name));
  const requests = fc.oneof({ weight: 4, arbitrary: of(mine) }, { weight: 1, arbitrary: of(theirs) });
  const seed = mine.seeds.get(operation.name);
  const others = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat() });
  const callers = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Caller>('token', 'owner') },
    { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
  );
  const transfers = fc.oneof(
    { weight: 20, arbitrary: fc.constant('as it is') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'gzip', 'broken gzip', 'slashes') },
  );
  return fc.tuple(requests, callers, transfers, others).map(([request, caller, transfer, n]) => {
    const named = n === undefined ? request : withIds(request, seen, n);
    // Those of a valid body that is no JSON are the request's own.
    const more = Buffer.isBuffer(seed?.body) ? {} : seed?.headers;
    const headed = { ...named, headers: { ...named.headers, ...more } };
    return {
      ...transferred(withCredentials(headed, operation, caller, mine.account, theirs.account, seed?.by), transfer),
      operation,
      caller,
    };
  });
}

function withIds(request: AnyRequest, seen: Seen, n: number): AnyRequest {
  const { url, payload, headers } = request;
  const isJson = headers['content-type'] === 'application/json';
  return {
    ...request,
    url: seen.replaceIds(url, n),
    payload: payload && isJson ? Buffer.from(seen.replaceIds(String(payload), n)) : payload,
  };
}

/** A valid request of an operation, as its seed has it. */
export function goodRequest(operation: Operation, mine: Furnished, seed: Seed): FuzzedRequest {
  const { method, url, config } = operation;
  const { body, by } = seed;
  const keyed = config?.access === 'ingest' ? { ...(body as object), api_key: mine.apiKey } : body;
  const payload = Buffer.isBuffer(body) || body === undefined ? body : Buffer.from(JSON.stringify(keyed));
  const headers = { ...(payload && { 'content-type': 'application/json' }), ...seed.headers };
  const request = { method, url: pathOf(url, seed), headers, payload };
  return { ...withCredentials(request, operation, 'token', mine, mine, by), operation, caller: 'token' };
}

/** How many requests of an operation a round makes. */
export function shareOf({ name, config }: Operation, perOperation: number): number {
  // Passwords are hashed, files are decoded.
  const isCostly =
    config?.streams ||
    /sign-in|password|first-run$|accept$|unlock$|^POST \/auth\/(confirm|email|passkeys|two-factor)/.test(name);
  return Math.max(1, Math.round(perOperation * (isDestructive({ name }) ? 0.2 : isCostly ? 0.3 : 1)));
}

function withCredentials(
  request: AnyRequest,
  { config, url }: Operation,
  caller: Caller,
  mine: Furnished,
  theirs: Furnished,
  by?: TestUser,
): AnyRequest {
  const access = config?.access ?? 'open';
  const { 'x-api-key': _, ...headers } = request.headers;
  if (access === 'ingest') {
    // `requestFor` puts the publishable key into the body.
    const keys: Partial<Record<Caller, string>> = {
      token: mine.token,
      other: theirs.apiKey,
      unknown: UNKNOWN_KEY,
      nobody: '',
    };
    const key = keys[caller];
    const body = String(request.payload);
    if (key === undefined || !body.includes(mine.apiKey)) return { ...request, headers };
    return { ...request, headers, payload: Buffer.from(body.replaceAll(mine.apiKey, key)) };
  }
  // What ends a session or a membership does so to somebody else than the other requests come from.
  const person = by ?? (/sign-out|leave|sessions|password/.test(url) ? mine.colleague : mine.owner);
  const bearer = (key: string) => ({ ...request, headers: { ...headers, 'x-api-key': `Bearer ${key}` } });
  const takesSession = access !== 'secret' && access !== 'postback' && access !== 'publishable';
  switch (caller) {
    case 'token':
      return takesSession ? { ...request, headers: { ...headers, ...dashboardHeaders(person) } } : bearer(mine.token);
    case 'owner':
      return { ...request, headers: { ...headers, ...dashboardHeaders(person) } };
    case 'other':
      return takesSession
        ? { ...request, headers: { ...headers, ...dashboardHeaders(theirs.owner) } }
        : bearer(theirs.token);
    case 'publishable':
      return bearer(mine.apiKey);
    case 'postback':
      return { ...request, headers, url: `${request.url}${request.url.includes('?') ? '&' : '?'}key=${mine.apiKey}` };
    case 'unknown':
      return bearer(UNKNOWN_KEY);
    case 'nobody':
      return { ...request, headers: { 'content-type': headers['content-type'] ?? 'application/json' } };
  }
}

const UNKNOWN_KEY = `hw_sk_${'0'.repeat(38)}`;

function transferred(request: AnyRequest, transfer: string): AnyRequest {
  const { method, url, headers, payload } = request;
  if (transfer === 'HEAD' && method === 'GET') return { ...request, method: 'HEAD' };
  if (transfer === 'slashes') return { ...request, url: url.replace('/v1/', '/v1//').replace(/(\?|$)/, '/$1') };
  if (transfer.endsWith('gzip') && payload) {
    const zipped = gzipSync(payload);
    const isWhole = transfer === 'gzip';
    return {
      ...request,
      headers: { ...headers, 'content-encoding': 'gzip' },
      payload: isWhole ? zipped : zipped.subarray(0, zipped.length / 2),
    };
  }
  return request;
}
