import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { findUserByEmail, type UserRow } from '../queries.ts';
import { cookieName, valueOfCookie } from './sessions.ts';

const LIFETIME_S = 365 * 86_400;

/**
 * Devices on which a user has signed in, recognized by a signed cookie for each user: failed attempts of strangers do not
 * lock these out. The signature depends on the password's hash, so a new password revokes all cookies of the user.
 */
export class KnownDevices {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The id of the device, if the user with this email has signed in on it before. */
  async find(request: FastifyRequest, email: string): Promise<string | undefined> {
    if (!request.headers.cookie?.includes('headwater-device-')) return undefined;
    const [user] = await findUserByEmail(this.#deps.control, { email });
    return user && this.#verify(request, user);
  }

  /** Sets the cookie that makes the user's next sign-in on this device one of a known device. */
  remember(request: FastifyRequest, reply: FastifyReply, user: UserRow): void {
    const id = this.#verify(request, user) ?? randomBytes(16).toString('base64url');
    const expires = String(Math.floor(this.#deps.clock() / 1000) + LIFETIME_S);
    const value = `${id}.${expires}.${this.#sign(user, id, expires)}`;
    const secure = this.#deps.publicUrl().startsWith('https:') ? '; Secure' : '';
    const attributes = `Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    reply.header('set-cookie', `${this.#cookieName(user)}=${value}; ${attributes}`);
  }

  #verify({ headers }: FastifyRequest, user: UserRow): string | undefined {
    const value = valueOfCookie(headers.cookie, this.#cookieName(user));
    const [id = '', expires = '', signature = ''] = value?.split('.') ?? [];
    const [given, expected] = [signature, this.#sign(user, id, expires)].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
    ];
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
    return isSigned && Number(expires) * 1000 > this.#deps.clock() ? id : undefined;
  }

  #sign({ id: userId, password }: UserRow, id: string, expires: string): string {
    return this.#hmac('device', userId, id, expires, password);
  }

  /** The suffix keeps the cookies of several users of one browser apart. */
  #cookieName({ id }: UserRow): string {
    return `${cookieName(this.#deps.publicUrl())}-device-${this.#hmac('device-cookie', id).slice(0, 8)}`;
  }

  #hmac(...parts: string[]): string {
    return createHmac('sha256', this.#deps.secret).update(parts.join('\n')).digest('base64url');
  }
}
