import type { FastifyRequest } from 'fastify';
import { queueMails } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { securityMail } from '../mails.ts';
import { findUser, type UserRow } from '../queries.ts';
import { attempt } from '../sign-in/attempt-limits.ts';
import { isPassword } from '../sign-in/password.ts';
import { auditUser } from './change-email.ts';
import type { Security } from './contract.ts';
import { countRecoveryCodes, listPasskeys } from './queries.ts';

export async function requireUser({ control }: Deps, { signedIn }: FastifyRequest): Promise<UserRow> {
  const [user] = await findUser(control, { user_id: signedIn.userId });
  if (!user) throw new Error('the user of a session was not found');
  return user;
}

/**
 * The user of a request, who also knows the password: a stolen session is not enough to change how somebody signs in.
 * @throws ApiError 400 `password_wrong`, 429 `too_many_attempts`
 */
export async function confirmUser(deps: Deps, request: FastifyRequest, currentPassword: string): Promise<UserRow> {
  const user = await requireUser(deps, request);
  // The session takes the place of a device, so that strangers cannot lock out users who are signed in.
  const claimant = { email: user.email, ip: request.ip, device: 'session' };
  const isRight = await attempt(deps, claimant, async () =>
    (await isPassword(currentPassword, user.password)) ? true : undefined,
  );
  if (!isRight) throw badRequest('password_wrong', 'The current password is incorrect.');
  return user;
}

/** Records a change of how a user signs in, and notifies them. */
export async function recordChange(
  deps: Deps,
  tx: ControlTx,
  { ip }: FastifyRequest,
  user: UserRow,
  verb: string,
  what: string,
): Promise<void> {
  await auditUser(tx, user.id, verb, ip, deps.clock());
  await queueMails(tx, deps, [securityMail(user.email, what)]);
}

export async function readSecurity({ control }: Deps, { id: user_id, has_second_factor }: UserRow): Promise<Security> {
  const [[codes], passkeys] = await Promise.all([
    countRecoveryCodes(control, { user_id }),
    listPasskeys(control, { user_id }),
  ]);
  return {
    twoFactor: { enabled: has_second_factor, recoveryCodesLeft: codes?.count ?? 0 },
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id: publicId('pky', id),
      name,
      createdAt: isoTime(created_at),
      lastUsedAt: last_used_at && isoTime(last_used_at),
    })),
  };
}
