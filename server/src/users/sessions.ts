import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { hashSecret } from './one-time-link.ts';
import { endSessionByToken, findSession, touchSession } from './queries.ts';

/** A session ends this long after it began, and when nobody has used it for this long. */
export const SESSION_MS = 30 * 86_400_000;
export const IDLE_MS = 7 * 86_400_000;

/** How exactly it is known when a session was last used. */
const TOUCH_MS = 60_000;

/** Two names, since a browser takes the prefix, which keeps other hosts and paths from setting it, by https alone. */
export function cookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-headwater' : 'headwater';
}

/** What the cookie of a session holds is its secret, and behind a dot the signature that better-auth puts there. */
export function tokenOfCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() !== name) continue;
    // The database knows the hashes of 190 random bits: a signature over them would prove nothing more.
    const [token = ''] = part
      .slice(at + 1)
      .trim()
      .split('.', 1);
    return token === '' ? undefined : token;
  }
  return undefined;
}

export function clearCookie(reply: FastifyReply, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  reply.header('set-cookie', `${cookieName(publicUrl)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

/** The sessions of users: one query for each request, so that one that ended has ended at once, on every process. */
export class UserSessions implements Sessions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  tokenOf(request: FastifyRequest): string | undefined {
    return tokenOfCookie(request.headers.cookie, cookieName(this.#deps.publicUrl()));
  }

  async find(request: FastifyRequest, accountId?: string, token = this.tokenOf(request)) {
    if (token === undefined) return undefined;
    const { db, clock, log } = this.#deps;
    const now = clock();
    const idle = new Date(now - IDLE_MS);
    const [row] = await findSession(db, hashSecret(token), accountId ?? null, new Date(now), idle);
    if (!row) return undefined;
    if (now - row.last_seen_at.getTime() >= TOUCH_MS) {
      touchSession(db, row.id, new Date(now), request.ip).catch((error: unknown) =>
        log.debug({ err: error }, 'the last use of a session was not recorded; the next time does it'),
      );
    }
    return { userId: row.user_id, sessionId: row.id, role: row.role };
  }

  /** Ends the request's own session, if it has one. */
  async end(request: FastifyRequest): Promise<void> {
    const token = this.tokenOf(request);
    if (token !== undefined) await endSessionByToken(this.#deps.db, hashSecret(token));
  }
}
