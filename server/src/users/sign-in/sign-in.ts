import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { preferredLanguage } from '../../shared/languages.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import type { SessionState } from '../contract.ts';
import { normalizeEmail } from '../create-user.ts';
import { findUser, findUserByEmail, setBrowserLanguage, type UserRow } from '../queries.ts';
import { codeInvalid, codeRequired, SecondFactor } from '../security/second-factor.ts';
import { refuseOtherThanSso } from '../sso/requirement.ts';
import { attempt } from './attempt-limits.ts';
import { KnownDevices } from './known-devices.ts';
import { isPassword } from './password.ts';
import { readSessionState } from './serialize.ts';
import { createSession, type UserSessions, type Vouched } from './sessions.ts';

/** A new session: its cookie and the response that starts the dashboard. */
export interface StartedSession {
  signedIn: SignedIn;
  user: UserRow;
  cookie: string;
  state: SessionState;
}

/** Signs users in: checks the password, creates a session and sets its cookie. */
export class SignIns {
  readonly #deps: Deps;
  readonly #sessions: UserSessions;
  readonly #devices: KnownDevices;
  readonly #secondFactor: SecondFactor;

  constructor(deps: Deps, sessions: UserSessions) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#devices = new KnownDevices(deps);
    this.#secondFactor = new SecondFactor(deps);
  }

  /**
   * The user with an email and password. A wrong or missing code counts as a failure, so that codes cannot be guessed by
   * somebody who knows the password.
   * @throws ApiError 401 `credentials_invalid`, the same and after the same time for an unknown email; 401
   *   `two_factor_required`, `code_invalid` after the right password; 429
   */
  async check(
    request: FastifyRequest,
    { email, password, code }: { email: string; password: string; code?: string | undefined },
  ): Promise<UserRow> {
    const normalized = normalizeEmail(email);
    const device = await this.#devices.find(request, normalized);
    const user = await attempt(this.#deps, { email: normalized, ip: request.ip, device }, async () => {
      const [known] = await findUserByEmail(this.#deps.control, { email: normalized });
      const isRight = await isPassword(password, known?.password, { address: request.ip });
      if (!known || !isRight) return undefined;
      if (known.has_second_factor && !code) throw codeRequired();
      if (code && known.has_second_factor && !(await this.#secondFactor.isCode(known.id, code))) throw codeInvalid();
      return known;
    });
    if (!user) throw credentialsInvalid();
    return user;
  }

  /**
   * Starts a session of a user who has proved their identity, instead of that of the request. What the user did for it
   * belongs in the same transaction: whoever gets no response may then repeat the request.
   * @param vouched by single sign-on
   * @throws ApiError 401 `sso_required`
   */
  async start(tx: ControlTx, request: FastifyRequest, userId: string, vouched?: Vouched): Promise<StartedSession> {
    if (!vouched) await refuseOtherThanSso(tx, userId);
    const { signedIn, cookie } = await createSession(this.#deps, tx, userId, request, vouched);
    await this.#sessions.end(request, tx);
    const browser_language = preferredLanguage(request.headers['accept-language']);
    if (browser_language !== undefined) await setBrowserLanguage(tx, { user_id: userId, browser_language });
    const [user] = await findUser(tx, { user_id: userId });
    if (!user) throw new Error('the user of the new session was not found');
    const state = await readSessionState({ control: tx, config: this.#deps.config }, signedIn);
    return { signedIn, user, cookie, state };
  }

  /** Sets the cookies of a session whose transaction is committed. */
  respond(
    request: FastifyRequest,
    reply: FastifyReply,
    { signedIn, user, cookie, state }: StartedSession,
  ): SessionState {
    reply.header('set-cookie', cookie);
    this.#devices.remember(request, reply, user);
    this.#sessions.reportActive(signedIn.userId);
    return state;
  }

  /** Starts a session and responds with it. */
  async signIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<SessionState> {
    const started = await this.#deps.control.transaction((tx) => this.start(tx, request, userId));
    return this.respond(request, reply, started);
  }
}

export function credentialsInvalid(): ApiError {
  return new ApiError(401, 'credentials_invalid', 'Incorrect email or password.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}
