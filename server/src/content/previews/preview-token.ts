import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { MINUTE } from '../../shared/units.ts';
import type { Future } from './future.ts';

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
  future?: Future,
): { token: string; expiresAt: number } {
  const expiresAt = clock() + PREVIEW_MINUTES * MINUTE;
  const scope = future && ('at' in future ? `at_${future.at.toString(36)}` : future.releaseId);
  const subject = [...(scope ? [scope] : []), collectionId, expiresAt.toString(36)].join('.');
  return { token: `${subject}.${sign(secret, accountId, subject).toString('base64url')}`, expiresAt };
}

/** What a token opens: the drafts of a collection (public ID), or public content as it will be. @throws ApiError 400 `preview_token_invalid` */
export function openPreview(
  { secret, clock }: TokenDeps,
  accountId: string,
  token: string,
): { drafts: string } | { future: Future } {
  const parts = token.split('.');
  const expected = sign(secret, accountId, parts.slice(0, -1).join('.'));
  const given = Buffer.from(parts.at(-1) ?? '', 'base64url');
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  const [time = '', collectionId = '', scope] = parts.slice(0, -1).reverse();
  if (isSigned && clock() < Number.parseInt(time, 36)) {
    if (scope === undefined) return { drafts: collectionId };
    return { future: scope.startsWith('at_') ? { at: Number.parseInt(scope.slice(3), 36) } : { releaseId: scope } };
  }
  const detail = 'The preview token is invalid or has expired. Open the preview again.';
  throw badRequest('preview_token_invalid', detail);
}

const sign = (secret: Buffer, accountId: string, subject: string): Buffer =>
  createHmac('sha256', secret).update(`preview\n${accountId}\n${subject}`).digest();
