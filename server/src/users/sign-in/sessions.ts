import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import type { UserActivity } from '../../shared/user-activity.ts';
import { listMemberships } from '../members/queries.ts';
import { hashSecret } from '../one-time-links.ts';
import { endSessionByToken, findSessionByToken, insertSession, touchSession } from './queries.ts';

/** The longest duration of a session, and for how long it may be idle. */
export const SESSION_MS = 30 * 86_400_000;
export const IDLE_MS = 7 * 86_400_000;

/** Precision of a session's last use. */
const TOUCH_MS = 60_000;

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

/**
 * The session token in a `Cookie` header: the part of the value before better-auth's signature. The database stores the
 * hash of 190 random bits, so the signature adds nothing.
 */
export function tokenOfCookie(header: string | undefined, name: string): string | undefined {
  return valueOfCookie(header, name)?.split('.', 1)[0] || undefined;
}

/** Creates a session of a user who is known without better-auth. @returns the `Set-Cookie` header */
export async function createSession(
  { control, clock, publicUrl }: Pick<Deps, 'control' | 'clock' | 'publicUrl'>,
  user_id: string,
  { ip, headers }: FastifyRequest,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const id = newUuid(clock());
  const createdAt = uuidTime(id);
  await insertSession(control, {
    id,
    user_id,
    token_hash: hashSecret(token),
    now: new Date(createdAt),
    expires_at: new Date(createdAt + SESSION_MS),
    address: ip,
    user_agent: (headers['user-agent'] ?? '').slice(0, 500),
  });
  const secure = publicUrl().startsWith('https:') ? '; Secure' : '';
  const attributes = `Max-Age=${SESSION_MS / 1000}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  return `${cookieName(publicUrl())}=${token}; ${attributes}`;
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

  async find(request: FastifyRequest, accountId?: string, token = this.tokenOf(request)) {
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
      touchSession(control, { id: row.id, now: new Date(now), address: request.ip }).catch((error: unknown) =>
        log.debug({ err: error }, 'recording the last use of a session failed; the next request retries'),
      );
      this.reportActive(row.user_id);
    }
    return { userId: row.user_id, sessionId: row.id, role: row.role, area: row.area, cell: row.cell };
  }

  /** Tells that a user signed in, or came back after a minute or more. */
  reportActive(userId: string): void {
    listMemberships(this.#deps.control, { user_id: userId })
      .then((accounts) => this.#activity.report(accounts.map(({ id }) => id)))
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, 'finding the accounts of a user failed'));
  }

  /** Ends the session of the request, if it has one. */
  async end(request: FastifyRequest): Promise<void> {
    const token = this.tokenOf(request);
    if (token !== undefined) await endSessionByToken(this.#deps.control, { token_hash: hashSecret(token) });
  }
}
