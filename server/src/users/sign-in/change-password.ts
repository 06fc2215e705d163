import type { FastifyRequest } from 'fastify';
import { queueMails } from '../../mail/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { securityMail } from '../mails.ts';
import { listMemberships } from '../members/queries.ts';
import {
  createSecret,
  deleteLinks,
  findLink,
  findUsedLink,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  REPEAT_MS,
  useLink,
} from '../one-time-links.ts';
import { findUser, lockUser, setPassword } from '../queries.ts';
import { deleteUnconfirmedAuthenticator } from '../security/queries.ts';
import { requireReviews } from '../security/reviews.ts';
import { refuseOtherThanSso } from '../sso/requirement.ts';
import { attempt, clearFailures } from './attempt-limits.ts';
import { hashPassword, isPassword } from './password.ts';
import { weakness } from './password-strength.ts';
import { endOtherSessions } from './queries.ts';
import type { SignIns, StartedSession } from './sign-in.ts';

/**
 * Changes a user's password, ends all their sessions and starts a new one.
 * @throws ApiError 400 `password_weak`, 429
 */
export async function changePassword(
  deps: Deps,
  signIns: SignIns,
  request: FastifyRequest,
  newPassword: string,
): Promise<StartedSession> {
  const [user] = await findUser(deps.control, { user_id: request.signedIn.userId });
  if (!user) throw new Error('the user of a session was not found');
  refuse(await weakness(newPassword, '/newPassword', [user.email, user.name]));
  const hash = await hashPassword(newPassword, { userId: user.id });
  return deps.control.transaction(async (tx) => {
    await replacePassword(tx, user.id, hash, request.ip, deps.clock());
    return signIns.start(tx, request, user.id);
  });
}

/**
 * Creates a link that sets a user's password, valid once and for a day. It replaces previous ones.
 * @param created_by who is given the link for somebody else
 */
export async function createResetLink(
  tx: ControlTx,
  publicUrl: string,
  user_id: string,
  now: number,
  created_by: string | null = null,
) {
  const { secret, hash } = createSecret();
  const expires_at = new Date(now + DAY);
  await deleteLinks(tx, { type: 'reset', user_id });
  await insertLink(tx, { hash, type: 'reset', user_id, email: null, created_by, expires_at });
  return { url: linkTo(publicUrl, 'reset-password', secret), expiresAt: isoTime(expires_at) };
}

/**
 * Sets the password of the link's user, ends all their sessions, and has them review what else signs in.
 * @throws ApiError 400 `link_invalid`, `password_weak`; 401 `sso_required`
 */
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
  if (!user) {
    if (await hasReset(deps, link, newPassword, address)) return;
    throw linkInvalid();
  }
  refuse(await weakness(newPassword, '/newPassword', [user.email, user.name]));
  const hash = await hashPassword(newPassword, { address });
  await control.transaction(async (tx) => {
    await lockUser(tx, { user_id: user.id });
    const [used] = await useLink(tx, { ...link, used_by: null });
    if (!used) throw linkInvalid();
    await refuseOtherThanSso(tx, user.id);
    await replacePassword(tx, user.id, hash, address, now);
    // Somebody else may have started to add one.
    await deleteUnconfirmedAuthenticator(tx, { user_id: user.id });
    await deleteLinks(tx, { type: 'passkey', user_id: user.id });
    await requireReviews(tx, { user_id: user.id, now: new Date(now) });
    await queueMails(tx, deps, [securityMail(user, 'password_reset')]);
    await clearFailures(deps, tx, { email: user.email, ip: address });
  });
}

/** Whether a link has just set this password: the response was lost. @throws ApiError 429 */
async function hasReset(
  deps: Deps,
  { hash, now }: { hash: Buffer; now: Date },
  password: string,
  address: string,
): Promise<boolean> {
  const since = new Date(now.getTime() - REPEAT_MS);
  const [used] = await findUsedLink(deps.control, { hash, type: 'reset', since });
  const [user] = used ? await findUser(deps.control, { user_id: used.used_by }) : [];
  if (!user) return false;
  const isSame = await attempt(deps, { email: user.email, ip: address }, async () =>
    (await isPassword(password, user.password, { address })) ? user : undefined,
  );
  return isSame !== undefined;
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
  // Whoever knew the previous password may have requested one to an address of theirs.
  await deleteLinks(tx, { type: 'email', user_id });
  const subject = ['user', publicId('usr', user_id)] as const;
  for (const { id: accountId } of await listMemberships(tx, { user_id })) {
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: 'user.password_changed', subject }, now);
  }
}
