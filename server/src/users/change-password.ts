import { audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { attempt, forgive } from './attempts.ts';
import { hashSecret, linkInvalid, linkTo, makeSecret } from './one-time-link.ts';
import { hashPassword, isPassword } from './password.ts';
import {
  dropLinks,
  endOtherSessions,
  findLink,
  findUser,
  insertLink,
  listMemberships,
  setPassword,
  takeLink,
  type UserRow,
} from './queries.ts';

const RESET_MS = 86_400_000;

/**
 * Changes a user's password. Every session of the user ends, the one that asks as well.
 * @throws ApiError 400 `password_wrong`, 429 `too_many_attempts`
 */
export async function changePassword(
  deps: Deps,
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  address: string,
): Promise<UserRow> {
  const [user] = await findUser(deps.db, userId);
  if (!user) throw new Error('a session had no user');
  const isRight = await attempt(deps, user.email, address, async () =>
    (await isPassword(currentPassword, user.password)) ? true : undefined,
  );
  if (!isRight) throw badRequest('password_wrong', 'The current password is another.');
  const hash = await hashPassword(newPassword);
  await deps.db.transaction((tx) => replacePassword(tx, user.id, hash, address, deps.clock()));
  return user;
}

/** A link by which a user sets a password anew, good once and for a day. It takes the place of any made before. */
export async function makeResetLink(tx: Tx, publicUrl: string, userId: string, now: number) {
  const { secret, hash } = makeSecret();
  const expiresAt = new Date(now + RESET_MS);
  await dropLinks(tx, 'reset', userId);
  await insertLink(tx, hash, 'reset', userId, expiresAt);
  return { url: linkTo(publicUrl, 'reset-password', secret), expiresAt: isoTime(expiresAt) };
}

/** Sets the password of whom the link is for. Every session of the user ends. @throws ApiError 400 `link_invalid` */
export async function resetPassword(
  deps: Deps,
  { token, newPassword }: { token: string; newPassword: string },
  address: string,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock();
  const link = hashSecret(token);
  const [known] = await findLink(db, link, 'reset', new Date(now));
  const [user] = known?.user_id ? await findUser(db, known.user_id) : [];
  if (!user) throw linkInvalid();
  const hash = await hashPassword(newPassword);
  await db.transaction(async (tx) => {
    const [used] = await takeLink(tx, link, 'reset', new Date(now));
    if (!used) throw linkInvalid();
    await replacePassword(tx, user.id, hash, address, now);
  });
  await forgive(deps, user.email, address);
}

async function replacePassword(tx: Tx, userId: string, hash: string, address: string, now: number): Promise<void> {
  await setPassword(tx, userId, hash, new Date(now));
  await endOtherSessions(tx, userId, null);
  await dropLinks(tx, 'reset', userId);
  const subject = ['user', publicId('usr', userId)] as const;
  for (const { id: accountId } of await listMemberships(tx, userId)) {
    const author = { accountId, kind: 'user', id: userId, address } as const;
    await audit(tx, author, { action: 'user.password_changed', subject }, now);
  }
}
