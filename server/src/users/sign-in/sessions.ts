import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf, type FoundMember, type Sessions, type SignedIn, signedOut } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { backgroundWork, runAs } from '../../shared/postgres/work.ts';
import { DAY, HOUR, MINUTE } from '../../shared/units.ts';
import type { UserActivity } from '../../shared/user-activity.ts';
import { listMemberships } from '../members/queries.ts';
import { hashSecret } from '../one-time-links.ts';
import { findUser } from '../queries.ts';
import { viewedRole } from '../roles/view-as-role.ts';
import { ssoRequired } from '../sso/requirement.ts';
import { attempt } from './attempt-limits.ts';
import { isPassword } from './password.ts';
import { confirmSession, endSessionByToken, findSessionByToken, insertSession, touchSession } from './queries.ts';

/** The longest duration of a session, and for how long it may be idle. */
const SESSION_MS = 30 * DAY;
export const IDLE_MS = 7 * DAY;
/** Of a session by single sign-on: the provider has to say again that the user is one of its own, and in which role. */
const SSO_SESSION_MS = 12 * HOUR;

/** Precision of a session's last use. */
const TOUCH_MS = MINUTE;

/** Two names, because browsers accept the prefix, which keeps other hosts and paths from setting it, only under https. */
export function cookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-headwater' : 'headwater';
}

/** The value of a cookie in a `Cookie` header. */
export function valueOfCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** The session token in a `Cookie` header. Cookies of earlier versions have a signature after a dot, which added nothing. */
function tokenOfCookie(header: string | undefined, name: string): string | undefined {
  return valueOfCookie(header, name)?.split('.', 1)[0] || undefined;
}

/** What the provider of an account vouches for. */
export interface Vouched {
  accountId: string;
  /** When the user last entered the password there. */
  authenticatedAt: number;
}

/**
 * Creates a session of a user who has proved their identity.
 * @param vouched by single sign-on: the session opens nothing but that account
 * @returns it, and its `Set-Cookie` header
 */
export async function createSession(
  { clock, publicUrl }: Pick<Deps, 'clock' | 'publicUrl'>,
  tx: ControlTx,
  user_id: string,
  { ip, headers }: FastifyRequest,
  vouched?: Vouched,
): Promise<{ signedIn: SignedIn; cookie: string }> {
  // 192 random bits, of which the database stores a hash.
  const token = randomBytes(24).toString('base64url');
  const id = newUuid(clock());
  const createdAt = uuidTime(id);
  const maxAgeMs = vouched ? SSO_SESSION_MS : SESSION_MS;
  const confirmedAt = vouched ? Math.min(vouched.authenticatedAt, createdAt) : createdAt;
  const limitedTo = vouched?.accountId ?? null;
  await insertSession(tx, {
    id,
    user_id,
    token_hash: hashSecret(token),
    now: new Date(createdAt),
    confirmed_at: new Date(confirmedAt),
    expires_at: new Date(createdAt + maxAgeMs),
    address: ip,
    user_agent: (headers['user-agent'] ?? '').slice(0, 500),
    account_id: limitedTo,
  });
  const secure = publicUrl().startsWith('https:') ? '; Secure' : '';
  const attributes = `Max-Age=${maxAgeMs / 1000}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  return {
    signedIn: { userId: user_id, sessionId: id, confirmedAt, limitedTo },
    cookie: `${cookieName(publicUrl())}=${token}; ${attributes}`,
  };
}

export function clearCookie(reply: FastifyReply, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  reply.header('set-cookie', `${cookieName(publicUrl)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

/** Dashboard sessions: looked up with one query for each request, so ending one takes effect immediately in every process. */
export class UserSessions implements Sessions {
  readonly #deps: Deps;
  readonly #activity: UserActivity;

  constructor(deps: Deps, activity: UserActivity) {
    this.#deps = deps;
    this.#activity = activity;
  }

  tokenOf(request: FastifyRequest): string | undefined {
    return tokenOfCookie(request.headers.cookie, cookieName(this.#deps.publicUrl()));
  }

  async find(request: FastifyRequest, accountId?: string): Promise<FoundMember | undefined> {
    const token = this.tokenOf(request);
    if (token === undefined) return undefined;
    const { control, clock, log } = this.#deps;
    const now = clock();
    const [row] = await findSessionByToken(control, {
      token_hash: hashSecret(token),
      account_id: accountId ?? null,
      now: new Date(now),
      idle_since: new Date(now - IDLE_MS),
    });
    if (!row) return undefined;
    if (now - row.last_seen_at.getTime() >= TOUCH_MS) {
      const touch = () => touchSession(control, { id: row.id, now: new Date(now), address: request.ip });
      runAs(backgroundWork(), touch).catch((error: unknown) =>
        log.debug({ err: error }, 'recording the last use of a session failed; the next request retries'),
      );
      this.reportActive(row.user_id);
    }
    const confirmedAt = row.confirmed_at.getTime();
    const access = accessOf(row, ['usr', row.user_id], row.email);
    if (row.sso_required) throw ssoRequired();
    // A role that cannot be read grants nothing.
    const role = row.role === 'custom' && !access ? null : row.role;
    const session = { userId: row.user_id, sessionId: row.id, confirmedAt, limitedTo: row.limited_to };
    const found = { ...session, role, area: row.area, cell: row.cell, access };
    if (!row.is_viewing || (accountId !== undefined && accountId !== row.view_account_id)) return found;
    const viewed = accountId === undefined ? undefined : await viewedRole(control, found, row);
    return { ...found, ...viewed, isViewing: true };
  }

  /** Tells that a user signed in, or came back after a minute or more. */
  reportActive(userId: string): void {
    listMemberships(this.#deps.control, { user_id: userId })
      .then((accounts) => this.#activity.report(accounts.map(({ id }) => id)))
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, 'finding the accounts of a user failed'));
  }

  /** @throws ApiError 400 `password_wrong`, 429 */
  async confirm(request: FastifyRequest, { userId, sessionId }: SignedIn, currentPassword: string): Promise<void> {
    const { control, clock } = this.#deps;
    const [user] = await findUser(control, { user_id: userId });
    if (!user) throw signedOut();
    // The session takes the place of a device, so that strangers cannot lock out users who are signed in.
    const isRight = await attempt(this.#deps, { email: user.email, ip: request.ip, device: 'session' }, async () =>
      (await isPassword(currentPassword, user.password, { userId })) ? true : undefined,
    );
    if (!isRight) throw badRequest('password_wrong', 'The current password is incorrect.');
    await confirmSession(control, { user_id: userId, id: sessionId, now: new Date(clock()) });
  }

  /** Ends the session of the request, if it has one. */
  async end(request: FastifyRequest, tx: ControlTx = this.#deps.control): Promise<void> {
    const token = this.tokenOf(request);
    if (token !== undefined) await endSessionByToken(tx, { token_hash: hashSecret(token) });
  }
}
