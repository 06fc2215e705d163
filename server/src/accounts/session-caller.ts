import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { type Area, mayUse } from './areas.ts';

/** What a member of an account may do: viewers read, editors change, owners also manage access. */
export type Role = 'viewer' | 'editor' | 'owner';

const RANK: Record<Role, number> = { viewer: 0, editor: 1, owner: 2 };

/** A signed-in user. */
export interface SignedIn {
  userId: string;
  sessionId: string;
}

/** A user who makes a request for an account. */
export interface UserCaller extends SignedIn {
  accountId: string;
  /** Where the account's data is. */
  cell: string;
  type: 'user';
  role: Role;
  /** The only part of the account that the user may use; null: all of it. */
  area: Area | null;
}

/** Finds the sessions of users. */
export interface Sessions {
  /** The secret in the request's cookie. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** The user of the request's session, the user's role in the account, and its cell; undefined without an active session. */
  find(
    request: FastifyRequest,
    accountId?: string,
  ): Promise<(SignedIn & { role: Role | null; area: Area | null; cell: string | null }) | undefined>;
}

const unauthorized = (code: string, detail: string) =>
  new ApiError(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="headwater"' } });

export function signedOut(): ApiError {
  return unauthorized('signed_out', 'You are not signed in, or your session has ended. Sign in again.');
}

/** Of an API key, where only users may act. */
export function sessionRequired(): ApiError {
  return unauthorized(
    'session_required',
    'Only users who are signed in to the dashboard can do this. API keys cannot, whatever their type.',
  );
}

export function roleInsufficient(needed: Role): ApiError {
  return badRequest('role_insufficient', `This action requires the role ${needed}.`);
}

/** @throws ApiError 401 `signed_out` */
export async function authenticateUser(request: FastifyRequest, sessions: Sessions): Promise<SignedIn> {
  const found = await sessions.find(request);
  if (!found) throw signedOut();
  return found;
}

/**
 * The member of the account in the header `x-headwater-account`.
 * @throws ApiError 401 `signed_out`, 400 `account_required`, 404 for an account of others, 400 `role_insufficient`,
 *   `area_insufficient`
 */
export async function authenticateMember(request: FastifyRequest, sessions: Sessions): Promise<UserCaller> {
  const named = request.headers['x-headwater-account'];
  const accountId = typeof named === 'string' ? parseId('acc', named) : undefined;
  const found = await sessions.find(request, accountId);
  if (!found) throw signedOut();
  if (named === undefined) throw badRequest('account_required', 'The header x-headwater-account must name an account.');
  const { role, area, cell, userId, sessionId } = found;
  if (accountId === undefined || role === null || cell === null) throw notFound('account');
  const { role: needed = ['GET', 'HEAD'].includes(request.method) ? 'viewer' : 'editor' } = request.routeOptions.config;
  if (RANK[role] < RANK[needed]) throw roleInsufficient(needed);
  if (!mayUse(area, request.routeOptions.url ?? '')) {
    throw badRequest('area_insufficient', `Your access to this account is limited to ${area}.`);
  }
  return { accountId, cell, type: 'user', userId, sessionId, role, area };
}
