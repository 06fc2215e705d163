import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type AnyRequest, type FuzzedRoute, requestFor } from '../../test/arbitrary-request.ts';
import type { Furnished } from '../../test/furnished-account.ts';
import { pathOf, ROUTES } from '../../test/route-table.ts';
import { dashboardHeaders } from '../../test/users.ts';
import type { Operation } from './operations.ts';

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

/** Random requests for an operation, by an account, for what is its own or another's. */
export function requestsFor(operation: Operation, mine: Furnished, theirs: Furnished): fc.Arbitrary<FuzzedRequest> {
  const good = ROUTES[operation.name]?.good;
  const of = (account: Furnished) =>
    requestFor(operation as FuzzedRoute, operation.method, mine, account, good?.(account));
  const requests = fc.oneof({ weight: 4, arbitrary: of(mine) }, { weight: 1, arbitrary: of(theirs) });
  const callers = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Caller>('token', 'owner') },
    { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
  );
  const transfers = fc.oneof(
    { weight: 20, arbitrary: fc.constant('as it is') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'gzip', 'broken gzip', 'slashes') },
  );
  return fc.tuple(requests, callers, transfers).map(([request, caller, transfer]) => ({
    ...transferred(withCredentials(request, operation, caller, mine, theirs), transfer),
    operation,
    caller,
  }));
}

/** The request of an operation that is known to succeed. */
export function goodRequest(operation: Operation, mine: Furnished): FuzzedRequest | undefined {
  const { name, method, url, config } = operation;
  const good = ROUTES[name]?.good(mine);
  if (good === undefined) return undefined;
  const { body, headers = { 'content-type': 'application/json' } } = good;
  const keyed = config?.access === 'ingest' ? { ...(body as object), api_key: mine.apiKey } : body;
  const payload = Buffer.isBuffer(body) || body === undefined ? body : Buffer.from(JSON.stringify(keyed));
  const request = { method, url: pathOf(url, good), headers: payload ? headers : {}, payload };
  return { ...withCredentials(request, operation, 'token', mine, mine), operation, caller: 'token' };
}

/** How many requests of an operation a round makes. */
export function shareOf({ name, config }: Operation, perOperation: number): number {
  // Passwords are hashed, files are decoded.
  const isCostly = config?.streams || /sign-in|password|first-run$|accept$/.test(name);
  return Math.max(1, Math.round(perOperation * (isDestructive({ name }) ? 0.2 : isCostly ? 0.3 : 1)));
}

function withCredentials(
  request: AnyRequest,
  { config, url }: Operation,
  caller: Caller,
  mine: Furnished,
  theirs: Furnished,
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
  const person = /sign-out|leave|sessions|password/.test(url) ? mine.colleague : mine.owner;
  const bearer = (key: string) => ({ ...request, headers: { ...headers, 'x-api-key': `Bearer ${key}` } });
  const takesSession = access !== 'secret' && access !== 'postback';
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
