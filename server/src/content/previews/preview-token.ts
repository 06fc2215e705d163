import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';

/** A token is not stored, so it cannot be revoked and must expire soon. */
export const PREVIEW_MINUTES = 60;

type TokenDeps = Pick<Deps, 'secret' | 'clock'>;

/** A token that reads the drafts of an account's public collections for a while, together with a publishable key. */
export function createPreviewToken(
  { secret, clock }: TokenDeps,
  accountId: string,
): { token: string; expiresAt: number } {
  const expiresAt = clock() + PREVIEW_MINUTES * 60_000;
  const time = expiresAt.toString(36);
  return { token: `${time}.${sign(secret, accountId, time).toString('base64url')}`, expiresAt };
}

/** @throws ApiError 400 `preview_token_invalid` */
export function checkPreviewToken({ secret, clock }: TokenDeps, accountId: string, token: string): void {
  const [time = '', signature = ''] = token.split('.');
  const expected = sign(secret, accountId, time);
  const given = Buffer.from(signature, 'base64url');
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  if (isSigned && clock() < Number.parseInt(time, 36)) return;
  const detail = 'The preview token is invalid or has expired. Open the preview again.';
  throw badRequest('preview_token_invalid', detail);
}

const sign = (secret: Buffer, accountId: string, time: string): Buffer =>
  createHmac('sha256', secret).update(`preview\n${accountId}\n${time}`).digest();
