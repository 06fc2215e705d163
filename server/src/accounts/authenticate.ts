import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';
import { parameterName } from '../shared/http/form.ts';
import type { Clock } from '../shared/time.ts';
import type { KeyType } from './key-format.ts';
import type { KeyCaller, KeyVerifier } from './key-verifier.ts';
import { requireRole } from './session-caller.ts';

/**
 * Who may call a route, and where its key is sent.
 * - `secret`: a secret token in `x-api-key: Bearer …`, or a member of the account with a dashboard session.
 * - `postback`: the same, or a postback key in the query parameter `key`.
 * - `ingest`: a publishable key, or a secret token from a server, in the body member `api_key`.
 * - `publishable`: a publishable key in the header or in the query parameter `key`, or a secret token from a server in the
 *   header.
 * - `member`: a member of the account with a dashboard session; no key.
 * - `user`: any signed-in user of the dashboard, without an account.
 * - `page`: anyone, from a page of the dashboard.
 * - `open`: anyone.
 */
export type Access = 'secret' | 'postback' | 'ingest' | 'publishable' | 'member' | 'user' | 'page' | 'open';

/** The same for every reason, so that it does not reveal which keys exist. */
export function unauthorized(
  detail = 'The API token is missing, malformed or revoked.',
  code = 'unauthorized',
): ApiError {
  return new ApiError(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="headwater"' } });
}

/** A key that was sent, and the types that the route accepts. */
interface SentKey {
  key: string;
  types: KeyCaller['type'][];
}

/** The header that carries a token. A proxy may use `Authorization` for another scheme. */
export function tokenHeader({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-api-key'];
  // Generated clients send a token by all schemes of an operation, to `x-api-key` without `Bearer`.
  if (own !== undefined && headers.authorization !== `Bearer ${own}`) return String(own);
  return /^(bearer |hw_)/i.test(headers.authorization ?? '') ? headers.authorization : undefined;
}

/** @throws ApiError 401 for a token without its prefix */
function keyOfRequest(request: FastifyRequest, access: Access): SentKey | undefined {
  if (access === 'ingest') {
    const key = (request.body as { api_key?: unknown } | null | undefined)?.api_key;
    return typeof key === 'string' ? { key, types: publishedTypes(request) } : undefined;
  }
  const header = tokenHeader(request);
  if (header !== undefined) {
    const [, key] = /^bearer +(\S+)$/i.exec(header.trim()) ?? [];
    if (key !== undefined) return { key, types: access === 'publishable' ? publishedTypes(request) : ['secret'] };
    if (header.trim().startsWith('hw_')) throw unauthorized('The API token must be sent as `Bearer <token>`.');
    return undefined;
  }
  const inQuery =
    access === 'postback'
      ? postbackKey(request)
      : access === 'publishable'
        ? (request.query as { key?: unknown }).key
        : undefined;
  if (typeof inQuery !== 'string') return undefined;
  return { key: inQuery, types: [access === 'postback' ? 'postback' : 'publishable'] };
}

/** The parameter `key`, whose name ignores case as those of all parameters of a postback do. */
export function postbackKey({ query }: FastifyRequest): unknown {
  return Object.entries(query as object).find(([name]) => parameterName(name).toLowerCase() === 'key')?.[1];
}

/** A secret token in page source is a leak, so requests from browsers may not use one. */
function publishedTypes({ headers }: FastifyRequest): KeyType[] {
  return headers.origin === undefined ? ['publishable', 'secret'] : ['publishable'];
}

/** The caller, or a promise of it when the key is not cached. @throws 401 */
export function authenticate(
  request: FastifyRequest,
  access: Access,
  keys: KeyVerifier,
  now: Clock,
): KeyCaller | Promise<KeyCaller> {
  const sent = keyOfRequest(request, access);
  if (sent === undefined) throw unauthorized();
  const check = (caller: KeyCaller | undefined): KeyCaller => {
    if (caller === undefined) throw unauthorized();
    if (caller.expiresAt !== undefined && caller.expiresAt <= now()) {
      throw unauthorized('The API token has expired. Create a new one, or rotate it before it ends.', 'key_expired');
    }
    if (caller.isAllowed && !caller.isAllowed(request.ip)) {
      throw unauthorized('The API token may not be used from this address.', 'address_not_allowed');
    }
    if (!sent.types.includes(caller.type)) throw wrongType(caller.type, access);
    if (caller.role) requireRole(request, caller.role, caller.access);
    return caller;
  };
  const cached = keys.cached(sent.key);
  return cached ? check(cached) : keys.verify(sent.key).then(check);
}

function wrongType(type: KeyCaller['type'], access: Access): ApiError {
  const isPublished = access === 'ingest' || access === 'publishable';
  if (isPublished && type === 'secret') {
    const detail =
      'A secret token must not be used in a browser. Use the publishable key (hw_pk_…) on pages and revoke this token.';
    return unauthorized(detail);
  }
  const needed = isPublished ? 'a publishable key (hw_pk_…)' : 'a secret API token (hw_sk_…)';
  return unauthorized(`This operation requires ${needed}.`);
}
