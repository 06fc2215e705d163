import { createHash, randomBytes } from 'node:crypto';
import { badRequest } from '../shared/errors.ts';
import { controlStatement } from '../shared/postgres/statement.ts';

/** The dashboard page that a link opens. */
export type LinkPage = 'first-run' | 'invitation' | 'reset-password' | 'confirm-email';

export const DAY_MS = 86_400_000;

/** A secret and the hash that is stored. 256 random bits cannot be guessed, so a fast hash is enough. */
export function createSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The secret is in the fragment, which browsers send to no server, and in no `Referer`. */
export function linkTo(publicUrl: string, page: LinkPage, secret: string): string {
  return `${publicUrl}/${page}#${secret}`;
}

/** One error for every reason, so that it does not reveal which links existed. */
export function linkInvalid() {
  return badRequest('link_invalid', 'The link is invalid: it was used, revoked, or has expired. Ask for a new one.');
}

/**
 * Types of links: `first_run` creates the first user, `reset` sets a user's password, `email` changes their address. Types of challenges
 * that passkeys sign: `passkey` creates one, `passkey_sign_in` uses one. Invitations have a table of their own.
 */
const LINK = { hash: 'bytea', type: 'text', now: 'timestamptz' } as const;

export const insertLink = controlStatement('users.insert_link', {
  hash: 'bytea',
  type: 'text',
  user_id: 'uuid?',
  email: 'text?',
  expires_at: 'timestamptz',
}).runs(
  `insert into user_links (hash, type, user_id, email, expires_at)
   values (:hash, :type, :user_id, :email, :expires_at)`,
);

export const findLink = controlStatement('users.find_link', LINK).returns<{
  user_id: string | null;
  email: string | null;
  expires_at: Date;
}>('select user_id, email, expires_at from user_links where hash = :hash and type = :type and expires_at > :now');

/** Deletes a link. Of two concurrent uses, only one gets the row. */
export const useLink = controlStatement('users.use_link', LINK).returns<{
  user_id: string | null;
  email: string | null;
}>('delete from user_links where hash = :hash and type = :type and expires_at > :now returning user_id, email');

/** Whether a user has a link of a type that expires later. */
export const findLaterLink = controlStatement('users.find_later_link', {
  type: 'text',
  user_id: 'uuid',
  after: 'timestamptz',
}).returns<{ exists: boolean }>(
  'select exists (select from user_links where type = :type and user_id = :user_id and expires_at > :after)',
);

/** Deletes all links of a type for a user, or those without a user. */
export const deleteLinks = controlStatement('users.delete_links', { type: 'text', user_id: 'uuid?' }).runs(
  'delete from user_links where type = :type and user_id is not distinct from :user_id',
);

export const deleteExpiredLinks = controlStatement('users.delete_expired_links', { now: 'timestamptz' }).runs(
  'delete from user_links where expires_at <= :now',
);
