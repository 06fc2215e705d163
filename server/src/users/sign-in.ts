import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { attempt } from './attempts.ts';
import { type BetterAuth, openBetterAuth } from './better-auth.ts';
import { inTurn } from './password.ts';
import { cookieName, tokenOfCookie, type UserSessions } from './sessions.ts';

/** E-mails are told apart whatever their case, and are kept in lower case. */
export function plainEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Signs users in: checks the password, makes a new session and sets its cookie. */
export class SignIns {
  readonly #deps: Deps;
  readonly #sessions: UserSessions;
  #opening: Promise<BetterAuth> | undefined;

  constructor(deps: Deps, sessions: UserSessions) {
    this.#deps = deps;
    this.#sessions = sessions;
  }

  /** Loads what a sign-in needs, for somebody is about to. */
  prepare(): Promise<BetterAuth> {
    this.#opening ??= openBetterAuth(this.#deps).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * @returns who is signed in from now on; the request's own session, if it had one, has ended
   * @throws ApiError 401 `credentials_invalid`, the same and after the same time for an e-mail that nobody has; 429
   */
  async signIn(request: FastifyRequest, reply: FastifyReply, email: string, password: string): Promise<SignedIn> {
    const cookie = await attempt(this.#deps, plainEmail(email), request.ip, () =>
      this.#check(request, email, password),
    );
    if (cookie === undefined) throw credentialsInvalid();
    return this.#begin(request, reply, cookie);
  }

  /** For who has just set the password. */
  async signInAgain(request: FastifyRequest, reply: FastifyReply, email: string, password: string): Promise<SignedIn> {
    const cookie = await this.#check(request, email, password);
    if (cookie === undefined) throw credentialsInvalid();
    return this.#begin(request, reply, cookie);
  }

  async #check({ ip, headers }: FastifyRequest, email: string, password: string): Promise<string | undefined> {
    const auth = await this.prepare();
    const from = { address: ip, userAgent: headers['user-agent'] ?? '' };
    return inTurn(() => auth.signIn(plainEmail(email), password, from));
  }

  async #begin(request: FastifyRequest, reply: FastifyReply, cookie: string): Promise<SignedIn> {
    await this.#sessions.end(request);
    const token = tokenOfCookie(cookie.split(';', 1)[0], cookieName(this.#deps.publicUrl()));
    const signedIn = await this.#sessions.find(request, undefined, token);
    if (!signedIn) throw new Error('a session was made and not found');
    reply.header('set-cookie', cookie);
    return signedIn;
  }
}

export function credentialsInvalid(): ApiError {
  return new ApiError(401, 'credentials_invalid', 'There is no user with this e-mail and password.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}
