import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { listMemberships } from '../members/queries.ts';
import {
  createSecret,
  DAY_MS,
  deleteLinks,
  findLink,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  useLink,
} from '../one-time-links.ts';
import { findUser, setPassword, type UserRow } from '../queries.ts';
import { attempt, clearFailures } from './attempt-limits.ts';
import { hashPassword, isPassword } from './password.ts';
import { endOtherSessions } from './queries.ts';

/**
 * Changes a user's password and ends all their sessions, including the current one.
 * @throws ApiError 400 `password_wrong`, 429 `too_many_attempts`
 */
export async function changePassword(
  deps: Deps,
  user_id: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  address: string,
): Promise<UserRow> {
  const [user] = await findUser(deps.control, { user_id });
  if (!user) throw new Error('the user of a session was not found');
  // The session takes the place of a device, so that strangers cannot lock out users who are signed in.
  const isRight = await attempt(deps, { email: user.email, ip: address, device: 'session' }, async () =>
    (await isPassword(currentPassword, user.password)) ? true : undefined,
  );
  if (!isRight) throw badRequest('password_wrong', 'The current password is incorrect.');
  const hash = await hashPassword(newPassword);
  await deps.control.transaction((tx) => replacePassword(tx, user.id, hash, address, deps.clock()));
  return user;
}

/** Creates a link that sets a user's password, valid once and for a day. It replaces previous ones. */
export async function createResetLink(tx: ControlTx, publicUrl: string, user_id: string, now: number) {
  const { secret, hash } = createSecret();
  const expires_at = new Date(now + DAY_MS);
  await deleteLinks(tx, { type: 'reset', user_id });
  await insertLink(tx, { hash, type: 'reset', user_id, email: null, expires_at });
  return { url: linkTo(publicUrl, 'reset-password', secret), expiresAt: isoTime(expires_at) };
}

/** Sets the password of the link's user and ends all their sessions. @throws ApiError 400 `link_invalid` */
export async function resetPassword(
  deps: Deps,
  { token, newPassword }: { token: string; newPassword: string },
  address: string,
): Promise<void> {
  const { control, clock } = deps;
  const now = clock();
  const link = { hash: hashSecret(token), type: 'reset', now: new Date(now) };
  const [known] = await findLink(control, link);
  const [user] = known?.user_id ? await findUser(control, { user_id: known.user_id }) : [];
  if (!user) throw linkInvalid();
  const hash = await hashPassword(newPassword);
  await control.transaction(async (tx) => {
    const [used] = await useLink(tx, link);
    if (!used) throw linkInvalid();
    await replacePassword(tx, user.id, hash, address, now);
  });
  await clearFailures(deps, { email: user.email, ip: address });
}

async function replacePassword(
  tx: ControlTx,
  user_id: string,
  hash: string,
  address: string,
  now: number,
): Promise<void> {
  await setPassword(tx, { user_id, password: hash, now: new Date(now) });
  await endOtherSessions(tx, { user_id, except: null });
  await deleteLinks(tx, { type: 'reset', user_id });
  const subject = ['user', publicId('usr', user_id)] as const;
  for (const { id: accountId } of await listMemberships(tx, { user_id })) {
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: 'user.password_changed', subject }, now);
  }
}
