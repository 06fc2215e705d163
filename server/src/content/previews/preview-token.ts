import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';

/** A token is not stored, so it cannot be revoked and must expire soon. */
export const PREVIEW_MINUTES = 60;

type TokenDeps = Pick<Deps, 'secret' | 'clock'>;

/**
 * A token that reads the drafts of a public collection for a while, together with a publishable key. It names the collection, so
 * that a site can send it with every request: what it does not open is read as it is published.
 */
export function createPreviewToken(
  { secret, clock }: TokenDeps,
  accountId: string,
  collectionId: string,
): { token: string; expiresAt: number } {
  const expiresAt = clock() + PREVIEW_MINUTES * 60_000;
  const subject = `${collectionId}.${expiresAt.toString(36)}`;
  return { token: `${subject}.${sign(secret, accountId, subject).toString('base64url')}`, expiresAt };
}

/** Whether the token reads drafts of the collection (public ID). @throws ApiError 400 `preview_token_invalid` */
export function opensDrafts(
  { secret, clock }: TokenDeps,
  accountId: string,
  token: string,
  collectionId: string,
): boolean {
  const [opened = '', time = '', signature = ''] = token.split('.');
  const expected = sign(secret, accountId, `${opened}.${time}`);
  const given = Buffer.from(signature, 'base64url');
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  if (isSigned && clock() < Number.parseInt(time, 36)) return opened === collectionId;
  const detail = 'The preview token is invalid or has expired. Open the preview again.';
  throw badRequest('preview_token_invalid', detail);
}

const sign = (secret: Buffer, accountId: string, subject: string): Buffer =>
  createHmac('sha256', secret).update(`preview\n${accountId}\n${subject}`).digest();
