import { createHash, randomBytes } from 'node:crypto';
import { badRequest } from '../shared/errors.ts';
import { controlStatement } from '../shared/postgres/statement.ts';
import { MINUTE } from '../shared/units.ts';

/** The dashboard page that a link opens. */
type LinkPage = 'first-run' | 'invitation' | 'reset-password' | 'confirm-email';

/** For how long a request that used a link may be repeated by who got no response. */
export const REPEAT_MS = 10 * MINUTE;

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
  created_by: 'uuid?',
  expires_at: 'timestamptz',
}).runs(
  `insert into user_links (hash, type, user_id, email, created_by, expires_at)
   values (:hash, :type, :user_id, :email, :created_by, :expires_at)`,
);

export const findLink = controlStatement('users.find_link', LINK).returns<{
  user_id: string | null;
  email: string | null;
  expires_at: Date;
}>(
  `select user_id, email, expires_at from user_links
   where hash = :hash and type = :type and expires_at > :now and used_at is null`,
);

/** Uses a link. Of two concurrent uses, only one gets the row. @param used_by null: the link's own user */
export const useLink = controlStatement('users.use_link', { ...LINK, used_by: 'uuid?' }).returns<{
  user_id: string | null;
  email: string | null;
}>(
  `update user_links set used_at = :now, used_by = coalesce(:used_by, user_id)
   where hash = :hash and type = :type and expires_at > :now and used_at is null returning user_id, email`,
);

/** Uses a challenge, which is then gone: no request repeats it. */
export const takeChallenge = controlStatement('users.take_challenge', LINK).returns<{ user_id: string | null }>(
  'delete from user_links where hash = :hash and type = :type and expires_at > :now returning user_id',
);

/** Who used a link since a time. */
export const findUsedLink = controlStatement('users.find_used_link', {
  hash: 'bytea',
  type: 'text',
  since: 'timestamptz',
}).returns<{ used_by: string; email: string | null }>(
  'select used_by, email from user_links where hash = :hash and type = :type and used_at > :since and used_by is not null',
);

/** Whether a user has an unused link of a type that expires later. */
export const findLaterLink = controlStatement('users.find_later_link', {
  type: 'text',
  user_id: 'uuid',
  after: 'timestamptz',
}).returns<{ exists: boolean }>(
  'select exists (select from user_links where type = :type and user_id = :user_id and expires_at > :after and used_at is null)',
);

/** Deletes the unused links that a user was given for others. */
export const deleteLinksOfCreator = controlStatement('users.delete_links_of_creator', { created_by: 'uuid' }).runs(
  'delete from user_links where created_by = :created_by and used_at is null',
);

/** Deletes all unused links of a type for a user, or those without a user. */
export const deleteLinks = controlStatement('users.delete_links', { type: 'text', user_id: 'uuid?' }).runs(
  'delete from user_links where type = :type and user_id is not distinct from :user_id and used_at is null',
);

export const deleteExpiredLinks = controlStatement('users.delete_expired_links', { now: 'timestamptz' }).runs(
  'delete from user_links where expires_at <= :now',
);
