import { queueMails } from '../../mail/index.ts';
import type { Deps, Worker } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { DAY } from '../../shared/units.ts';
import { normalizeEmail } from '../create-user.ts';
import { resetMail } from '../mails.ts';
import { findLaterLink } from '../one-time-links.ts';
import { findUserByEmail } from '../queries.ts';
import { createResetLink } from '../sign-in/change-password.ts';
import { mustUseSso } from '../sso/requirement.ts';

/** Whoever knows an email can request a reset: one mail every two minutes is enough. */
const PAUSE_MS = 120_000;
const MAX_WAITING = 100;

/**
 * Sends reset links to users who forgot their password, after the response: the time of the response does not depend on
 * whether there is a user. A request that is lost with the process is repeated by the user, who gets no mail.
 */
export class ForgottenPasswords implements Worker {
  readonly #deps: Deps;
  readonly #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {}

  async stop(): Promise<void> {
    await this.#sending;
  }

  /** @throws ApiError 429 `overloaded`, whoever the email belongs to */
  request(email: string): void {
    if (!this.#deps.config.mail) return;
    if (this.#waiting.length >= MAX_WAITING) {
      const detail = 'Too many reset links are being sent. Retry after the time in Retry-After.';
      throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '5' } });
    }
    this.#waiting.push(normalizeEmail(email));
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    for (let email = this.#waiting.shift(); email !== undefined; email = this.#waiting.shift()) {
      await this.#send(email).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'a password reset link could not be created; the user can request another');
      });
    }
    this.#sending = undefined;
  }

  async #send(email: string): Promise<void> {
    const { control, clock, publicUrl } = this.#deps;
    const [user] = await findUserByEmail(control, { email });
    // An email that anyone may have entered opens nothing.
    if (!user?.email_confirmed_at) return;
    await control.transaction(async (tx) => {
      if (await mustUseSso(tx, user.id)) return;
      const after = new Date(clock() + DAY - PAUSE_MS);
      const [recent] = await findLaterLink(tx, { type: 'reset', user_id: user.id, after });
      if (recent?.exists) return;
      const { url } = await createResetLink(tx, publicUrl(), user.id, clock());
      await queueMails(tx, this.#deps, [resetMail(user, url)]);
    });
  }
}
