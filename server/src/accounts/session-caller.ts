import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { MINUTE } from '../shared/units.ts';
import { type Area, mayUse } from './areas.ts';
import { mayUseFeature, type RoleAccess, readsEverything } from './roles/access.ts';
import { needOf, showsConversions } from './roles/route-needs.ts';

/** What a member of an account may do: viewers read, editors change, owners also manage access; `custom`: what its role says. */
export type Role = BuiltInRole | 'custom';
type BuiltInRole = 'viewer' | 'editor' | 'owner';

const RANK: Record<Role, number> = { custom: -1, viewer: 0, editor: 1, owner: 2 };

/** A signed-in user. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  /** When they last entered the password or used a passkey in this session. */
  confirmedAt: number;
  /** They look at the account as one of its roles sees it, so only reads are possible. */
  isViewing?: boolean;
  /** UUID of the only account that the session opens, whose provider has vouched for the user; null: all of them. */
  limitedTo: string | null;
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
  /** With a role that the account defines: what it may do. */
  access?: RoleAccess;
}

/** What was found of the user in an account. */
export interface FoundMember extends SignedIn {
  role: Role | null;
  area: Area | null;
  cell: string | null;
  access?: RoleAccess | undefined;
}

/** Finds and confirms the sessions of users. */
export interface Sessions {
  /** The secret in the request's cookie. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** The user of the request's session, the user's role in the account, and its cell; undefined without an active session. */
  find(request: FastifyRequest, accountId?: string): Promise<FoundMember | undefined>;
  /** Confirms a session by the user's password. @throws ApiError 400 `password_wrong`, 429 */
  confirm(request: FastifyRequest, user: SignedIn, currentPassword: string): Promise<void>;
}

/** For how long a password or passkey confirms what a user does in a session. */
export const CONFIRMED_MS = 10 * MINUTE;

/**
 * Of a route that gives access, or decides where secrets are sent: a session that somebody else got hold of must not be enough.
 * The password can be sent with the request, as `currentPassword`.
 * @throws ApiError 401 `confirmation_required`, 400 `password_wrong`, 429
 */
export async function requireConfirmation(
  request: FastifyRequest,
  user: SignedIn,
  sessions: Sessions,
  now: number,
): Promise<void> {
  const { currentPassword } = (request.body ?? {}) as { currentPassword?: unknown };
  if (typeof currentPassword === 'string' && user.limitedTo === null)
    return sessions.confirm(request, user, currentPassword);
  if (now < user.confirmedAt + CONFIRMED_MS) return;
  throw unauthorized(
    'confirmation_required',
    user.limitedTo === null
      ? 'Confirm that it is you: send your password or a passkey to POST /auth/confirm, then repeat the request.'
      : 'Confirm that it is you: open /auth/sso/{accountId}/start?confirm=true, then repeat the request.',
  );
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

/** Of a role that the account defines. */
export const notGranted = (what: string) => badRequest('role_insufficient', `Your role does not allow this: ${what}.`);

/** @throws ApiError 400 `role_insufficient` */
export function requireRole(request: FastifyRequest, role: Role, access: RoleAccess | undefined): void {
  const { method, routeOptions } = request;
  const { role: needed = isReading(request) ? 'viewer' : 'editor' } = routeOptions.config;
  if (access) {
    const need = needOf(method, routeOptions.url ?? '');
    if (need === 'any' || need === 'content' || (need === 'everything' && readsEverything(access))) return;
    if (need === 'everything') throw notGranted('use a publishable key for this, which reads what is public');
    const level = needed === 'viewer' || isReading(request) ? 'read' : 'write';
    if (need === undefined || need === 'owner') throw roleInsufficient('owner');
    if (!mayUseFeature(access.features, need, level)) throw notGranted(`it needs ${level} access to ${need}`);
    if (showsConversions(routeOptions.url ?? '') && !mayUseFeature(access.features, 'conversions', 'read')) {
      throw notGranted('it needs read access to conversions');
    }
  } else if (RANK[role] < RANK[needed]) throw roleInsufficient(needed);
}

export function viewOnly(
  detail = 'You are viewing an account as one of its roles, which changes nothing. End the view first: POST /auth/view/end.',
): ApiError {
  return new ApiError(403, 'view_only', detail);
}

/** @throws ApiError 403 `view_only` for whatever changes something, or is not of the account, in a session that views it as a role */
function requireReading(request: FastifyRequest, { isViewing }: SignedIn): void {
  const { config, url = '' } = request.routeOptions;
  if (!isViewing || config.duringView) return;
  if (!isReading(request) || (config.access === 'user' && !url.startsWith('/auth/'))) throw viewOnly();
}

/** A postback records something, although its method is GET. */
const isReading = ({ method, routeOptions: { config } }: FastifyRequest) =>
  ['GET', 'HEAD'].includes(method) && config.access !== 'postback';

/** The provider of an account vouches for its members, and not for what they do elsewhere. @throws ApiError 401 `sso_session` */
export function refuseSso({ limitedTo }: SignedIn): void {
  if (limitedTo === null) return;
  const detail = 'Your session is by single sign-on of an account. Sign in with your password or a passkey to do this.';
  throw unauthorized('sso_session', detail);
}

/** @throws ApiError 401 `signed_out`, `sso_session` */
export async function authenticateUser(request: FastifyRequest, sessions: Sessions): Promise<SignedIn> {
  const found = await sessions.find(request);
  if (!found) throw signedOut();
  if (!request.routeOptions.config.allowsSso) refuseSso(found);
  requireReading(request, found);
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
  const { role, area, cell, access, userId, sessionId, confirmedAt, limitedTo, isViewing } = found;
  if (accountId === undefined || role === null || cell === null) throw notFound('account');
  requireReading(request, found);
  requireRole(request, role, access);
  if (!mayUse(area, request.routeOptions.url ?? '')) {
    throw badRequest('area_insufficient', `Your access to this account is limited to ${area}.`);
  }
  const session = { userId, sessionId, confirmedAt, limitedTo };
  return {
    ...{ accountId, cell, type: 'user', ...session, role, area },
    ...(access && { access }),
    ...(isViewing && { isViewing }),
  };
}
