import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';
import type { KeyKind } from './key-format.ts';
import type { KeyCaller, KeyVerifier } from './key-verifier.ts';

/**
 * Who may call a route, and where its key stands.
 * - `secret`: a secret token in `x-api-key: Bearer …`, or a member of the account by the session of the dashboard.
 * - `postback`: the same, or a postback key in the query's `key`.
 * - `ingest`: a publishable key, or a secret token from a server, in the body's `api_key`.
 * - `member`: a member of the account by the session of the dashboard; no key.
 * - `user`: whoever is signed in to the dashboard, for no account.
 * - `page`: anybody, by a page of the dashboard.
 * - `open`: anybody.
 */
export type Access = 'secret' | 'postback' | 'ingest' | 'member' | 'user' | 'page' | 'open';

/** The same for every reason, so that it tells nothing of which keys exist. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'unauthorized', 'The API token is missing, malformed or revoked.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}

/** The key of a request and the kinds that are good for it; undefined where none was sent as it should be. */
export function keyOfRequest(request: FastifyRequest, access: Access): { key: string; kinds: KeyKind[] } | undefined {
  if (access === 'ingest') {
    const key = (request.body as { api_key?: unknown } | null | undefined)?.api_key;
    // A secret token in a page's source is a leak: from a browser it is refused, whatever else it may do.
    const kinds: KeyKind[] = request.headers.origin === undefined ? ['publishable', 'secret'] : ['publishable'];
    return typeof key === 'string' ? { key, kinds } : undefined;
  }
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') {
    return header.startsWith('Bearer ') ? { key: header.slice(7), kinds: ['secret'] } : undefined;
  }
  const inQuery = access === 'postback' ? (request.query as { key?: unknown }).key : undefined;
  return typeof inQuery === 'string' ? { key: inQuery, kinds: ['postback'] } : undefined;
}

/** The caller where it can be told without waiting, else a promise of it. @throws 401 */
export function authenticate(
  request: FastifyRequest,
  access: Access,
  keys: KeyVerifier,
): KeyCaller | Promise<KeyCaller> {
  const given = keyOfRequest(request, access);
  if (given === undefined) throw unauthorized();
  const check = (caller: KeyCaller | undefined): KeyCaller => {
    if (caller === undefined || !given.kinds.includes(caller.kind)) throw unauthorized();
    return caller;
  };
  const known = keys.recall(given.key);
  return known ? check(known) : keys.verify(given.key).then(check);
}
