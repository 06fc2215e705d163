import type { FastifyRequest } from 'fastify';
import { queueMails } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { type SecurityChange, securityMail } from '../mails.ts';
import { findUser, type UserRow } from '../queries.ts';
import { auditUser } from './change-email.ts';
import type { Security } from './contract.ts';
import { countRecoveryCodes, listPasskeys } from './queries.ts';
import { listReviews } from './reviews.ts';

export async function requireUser({ control }: Deps, { signedIn }: FastifyRequest): Promise<UserRow> {
  const [user] = await findUser(control, { user_id: signedIn.userId });
  if (!user) throw new Error('the user of a session was not found');
  return user;
}

/** Records a change of how a user signs in, and notifies them. */
export async function recordChange(
  deps: Deps,
  tx: ControlTx,
  { ip }: FastifyRequest,
  user: UserRow,
  change: SecurityChange,
): Promise<void> {
  await auditUser(tx, user.id, change, ip, deps.clock());
  await queueMails(tx, deps, [securityMail(user, change)]);
}

export async function readSecurity({ control }: Deps, { id: user_id, has_second_factor }: UserRow): Promise<Security> {
  const [[codes], passkeys, reviews] = await Promise.all([
    countRecoveryCodes(control, { user_id }),
    listPasskeys(control, { user_id }),
    listReviews(control, user_id),
  ]);
  return {
    twoFactor: { enabled: has_second_factor, recoveryCodesLeft: codes?.count ?? 0 },
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id: publicId('pky', id),
      name,
      createdAt: isoTime(created_at),
      lastUsedAt: last_used_at && isoTime(last_used_at),
    })),
    reviews,
  };
}
