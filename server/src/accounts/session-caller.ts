import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';

/** What a member of an account may: a viewer reads, an editor changes, an owner also decides who may. */
export type Role = 'viewer' | 'editor' | 'owner';

const RANK: Record<Role, number> = { viewer: 0, editor: 1, owner: 2 };

/** A user who is signed in. */
export interface SignedIn {
  userId: string;
  sessionId: string;
}

/** A user who makes a request for an account. */
export interface UserCaller extends SignedIn {
  accountId: string;
  kind: 'user';
  role: Role;
}

/** What knows the sessions of users. */
export interface Sessions {
  /** The secret in the request's cookie. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** Whose the request's session is, with the user's role in the account; undefined where it has ended or never was. */
  find(request: FastifyRequest, accountId?: string): Promise<(SignedIn & { role: Role | null }) | undefined>;
}

export function signedOut(): ApiError {
  return new ApiError(401, 'signed_out', 'Nobody is signed in, or the session has ended.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}

export function roleInsufficient(needed: Role): ApiError {
  return badRequest('role_insufficient', `This takes the role ${needed}.`);
}

/** Who is signed in. @throws ApiError 401 `signed_out` */
export async function authenticateUser(request: FastifyRequest, sessions: Sessions): Promise<SignedIn> {
  const found = await sessions.find(request);
  if (!found) throw signedOut();
  return found;
}

/**
 * Who is signed in, for the account that `x-headwater-account` names.
 * @throws ApiError 401 `signed_out`, 400 `account_required`, 404 for an account of others, 400 `role_insufficient`
 */
export async function authenticateMember(request: FastifyRequest, sessions: Sessions): Promise<UserCaller> {
  const named = request.headers['x-headwater-account'];
  const accountId = typeof named === 'string' ? parseId('acc', named) : undefined;
  const found = await sessions.find(request, accountId);
  if (!found) throw signedOut();
  if (named === undefined) throw badRequest('account_required', 'The header x-headwater-account names no account.');
  const { role, userId, sessionId } = found;
  if (accountId === undefined || role === null) throw notFound('account');
  const { role: needed = request.method === 'GET' ? 'viewer' : 'editor' } = request.routeOptions.config;
  if (RANK[role] < RANK[needed]) throw roleInsufficient(needed);
  return { accountId, kind: 'user', userId, sessionId, role };
}
