import { createHmac, randomBytes } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, badRequest } from '../../shared/errors.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { SecretBox } from '../../shared/secret-box.ts';
import type { UserRow } from '../queries.ts';
import {
  deleteAuthenticator,
  findAuthenticator,
  putAuthenticator,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from './queries.ts';
import { otpauthUrl, stepOf, toBase32 } from './totp.ts';

const RECOVERY_CODES = 10;

/** Codes of an authenticator app (TOTP, RFC 6238) and recovery codes, as the second factor after a password. */
export class SecondFactor {
  readonly #deps: Pick<Deps, 'control' | 'clock' | 'secret'>;
  readonly #box: SecretBox;

  constructor(deps: Pick<Deps, 'control' | 'clock' | 'secret'>) {
    this.#deps = deps;
    this.#box = new SecretBox(deps.secret, 'authenticators');
  }

  /** Creates the secret of an authenticator, which is used once its first code was confirmed. */
  async start(user: { id: string; email: string }): Promise<{ secret: string; url: string }> {
    // Text, because the secrets of earlier versions are: they stay valid.
    const secret = Buffer.from(randomBytes(15).toString('base64url'));
    const sealed = this.#box.seal(secret, user.id);
    const [put] = await putAuthenticator(this.#deps.control, { user_id: user.id, secret: sealed });
    if (!put) throw alreadyEnabled();
    // The secret in base32, for apps without a camera.
    return { secret: toBase32(secret), url: otpauthUrl(secret, 'Headwater', user.email) };
  }

  /** Enables the authenticator. @returns the recovery codes @throws ApiError 400 `code_invalid`, `two_factor_enabled` */
  async confirm(tx: ControlTx, user: UserRow, code: string): Promise<string[]> {
    if (user.has_second_factor) throw alreadyEnabled();
    if (!(await this.#useTotp(tx, user.id, code))) {
      throw badRequest('code_invalid', 'The code is incorrect. Enter the current code of your authenticator app.');
    }
    return this.#newRecoveryCodes(tx, user.id);
  }

  /** @throws ApiError 400 `two_factor_disabled` */
  async replaceRecoveryCodes(tx: ControlTx, user: UserRow): Promise<string[]> {
    if (user.has_second_factor) return this.#newRecoveryCodes(tx, user.id);
    throw badRequest('two_factor_disabled', 'Two-factor authentication is not enabled.');
  }

  async #newRecoveryCodes(tx: ControlTx, userId: string): Promise<string[]> {
    // 48 bits each: guesses are limited like those of passwords.
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(6).toString('hex'));
    await replaceRecoveryCodes(tx, { user_id: userId, hashes: codes.map((code) => this.#hash(userId, code)) });
    return codes.map((code) => `${code.slice(0, 6)}-${code.slice(6)}`);
  }

  /** Whether it was enabled, or about to be. */
  async disable(tx: ControlTx, userId: string): Promise<boolean> {
    const [deleted] = await deleteAuthenticator(tx, { user_id: userId });
    return deleted !== undefined;
  }

  /** Uses a code of the app or a recovery code. Each works once. */
  async isCode(userId: string, code: string): Promise<boolean> {
    const { control } = this.#deps;
    if (/^\d{6}$/.test(code.replaceAll(' ', ''))) return this.#useTotp(control, userId, code);
    const normalized = code.toLowerCase().replace(/[^a-z0-9]/g, '');
    const [used] = await useRecoveryCode(control, { user_id: userId, hash: this.#hash(userId, normalized) });
    return used !== undefined;
  }

  async #useTotp(tx: ControlTx, userId: string, sent: string): Promise<boolean> {
    const [row] = await findAuthenticator(tx, { user_id: userId });
    if (!row) return false;
    const now = this.#deps.clock();
    const step = stepOf(this.#box.open(row.secret, userId), sent.replaceAll(' ', ''), now);
    if (step === undefined) return false;
    const [used] = await useStep(tx, { user_id: userId, step, now: new Date(now) });
    return used !== undefined;
  }

  #hash(userId: string, code: string): Buffer {
    return createHmac('sha256', this.#deps.secret).update(['recovery-code', userId, code].join('\n')).digest();
  }
}

const alreadyEnabled = () =>
  badRequest('two_factor_enabled', 'Two-factor authentication is already enabled. Disable it first.');

/** The password was right. */
export function codeRequired(): ApiError {
  return unauthorized('two_factor_required', 'Enter the code of your authenticator app, or a recovery code.');
}

export function codeInvalid(): ApiError {
  return unauthorized('code_invalid', 'The code is incorrect or was used before. Enter the current code.');
}

function unauthorized(code: string, detail: string): ApiError {
  return new ApiError(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="headwater"' } });
}
