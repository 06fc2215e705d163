import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { normalizeEmail } from '../create-user.ts';
import { findUser, findUserByEmail } from '../queries.ts';
import { codeInvalid, codeRequired, SecondFactor } from '../security/second-factor.ts';
import { attempt } from './attempt-limits.ts';
import { type BetterAuth, openBetterAuth } from './better-auth.ts';
import { KnownDevices } from './known-devices.ts';
import { isPassword, limitHashing } from './password.ts';
import { cookieName, createSession, tokenOfCookie, type UserSessions } from './sessions.ts';

/** Signs users in: checks the password, creates a session and sets its cookie. */
export class SignIns {
  readonly #deps: Deps;
  readonly #sessions: UserSessions;
  readonly #devices: KnownDevices;
  readonly #secondFactor: SecondFactor;
  #loading: Promise<BetterAuth> | undefined;

  constructor(deps: Deps, sessions: UserSessions) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#devices = new KnownDevices(deps);
    this.#secondFactor = new SecondFactor(deps);
  }

  /** Loads better-auth, which takes a second, ahead of a sign-in. */
  prepare(): Promise<BetterAuth> {
    this.#loading ??= openBetterAuth(this.#deps).catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /**
   * Ends the session of the request, if it has one, and starts a new one. A wrong or missing code counts as a failure, so
   * that codes cannot be guessed by somebody who knows the password.
   * @throws ApiError 401 `credentials_invalid`, the same and after the same time for an unknown email; 401
   *   `two_factor_required`, `code_invalid` after the right password; 429
   */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password, code }: { email: string; password: string; code?: string | undefined },
  ): Promise<SignedIn> {
    const normalized = normalizeEmail(email);
    const device = await this.#devices.find(request, normalized);
    const cookie = await attempt(this.#deps, { email: normalized, ip: request.ip, device }, async () => {
      const [user] = await findUserByEmail(this.#deps.control, { email: normalized });
      if (!user?.has_second_factor) return this.#check(request, email, password);
      if (!(await isPassword(password, user.password))) return undefined;
      if (!code) throw codeRequired();
      if (!(await this.#secondFactor.isCode(user.id, code))) throw codeInvalid();
      return createSession(this.#deps, user.id, request);
    });
    return this.#startSession(request, reply, cookie);
  }

  /** Signs in a user who has proved to have a passkey, which is a second factor by itself. */
  async signInByPasskey(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<SignedIn> {
    return this.#startSession(request, reply, await createSession(this.#deps, userId, request));
  }

  /** Signs in a user who has just set the password. */
  async signInAgain(request: FastifyRequest, reply: FastifyReply, email: string, password: string): Promise<SignedIn> {
    return this.#startSession(request, reply, await this.#check(request, email, password));
  }

  async #check({ ip, headers }: FastifyRequest, email: string, password: string): Promise<string | undefined> {
    const auth = await this.prepare();
    const client = { address: ip, userAgent: headers['user-agent'] ?? '' };
    return limitHashing(() => auth.signIn(normalizeEmail(email), password, client));
  }

  async #startSession(request: FastifyRequest, reply: FastifyReply, cookie: string | undefined): Promise<SignedIn> {
    if (cookie === undefined) throw credentialsInvalid();
    await this.#sessions.end(request);
    const token = tokenOfCookie(cookie.split(';', 1)[0], cookieName(this.#deps.publicUrl()));
    const signedIn = await this.#sessions.find(request, undefined, token);
    const [user] = signedIn ? await findUser(this.#deps.control, { user_id: signedIn.userId }) : [];
    if (!signedIn || !user) throw new Error('the new session was not found');
    reply.header('set-cookie', cookie);
    this.#devices.remember(request, reply, user);
    this.#sessions.reportActive(signedIn.userId);
    return signedIn;
  }
}

export function credentialsInvalid(): ApiError {
  return new ApiError(401, 'credentials_invalid', 'Incorrect email or password.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}
