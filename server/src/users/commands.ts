import { findAccount, type Role } from '../accounts/index.ts';
import { audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { normalizeEmail } from './create-user.ts';
import { createInvitation } from './invitations/invitations.ts';
import { listMemberships } from './members/queries.ts';
import { deleteLinks } from './one-time-links.ts';
import { findUserByEmail, listUsers, lockUser, setEmailConfirmed, setOperator } from './queries.ts';
import { SecondFactor } from './security/second-factor.ts';
import { createResetLink } from './sign-in/change-password.ts';

/** What operators do on the command line when the dashboard cannot help: no user can sign in, or an account has no owner. */
export async function listUsersByCommand(control: ControlDatabase) {
  const rows = await listUsers(control);
  return rows.map(({ id, email, name, is_operator, created_at }) => ({
    id: publicId('usr', id),
    email,
    name,
    isOperator: is_operator,
    createdAt: isoTime(created_at),
  }));
}

/**
 * Makes a user an operator of the service, or with `isOperator: false` no longer.
 * @throws ApiError 404
 */
export async function setOperatorByCommand(control: ControlDatabase, email: string, isOperator: boolean) {
  const [user] = await findUserByEmail(control, { email: normalizeEmail(email) });
  if (!user) throw notFound('user');
  await control.transaction(async (tx) => {
    await lockUser(tx, { user_id: user.id });
    await setOperator(tx, { user_id: user.id, is_operator: isOperator });
    // Whoever was given one could act as an operator.
    await deleteLinks(tx, { type: 'reset', user_id: user.id });
  });
  return { id: publicId('usr', user.id), email: user.email, isOperator };
}

/** For a user whose email the service cannot confirm by mail. @throws ApiError 404 */
export async function confirmEmailByCommand(control: ControlDatabase, email: string, now: number) {
  const [user] = await findUserByEmail(control, { email: normalizeEmail(email) });
  if (!user) throw notFound('user');
  await setEmailConfirmed(control, { user_id: user.id, now: new Date(now) });
  return { id: publicId('usr', user.id), email: user.email, isConfirmed: true };
}

/** @throws ApiError 404 */
export async function resetByCommand(control: ControlDatabase, email: string, publicUrl: string, now: number) {
  const [user] = await findUserByEmail(control, { email: normalizeEmail(email) });
  if (!user) throw notFound('user');
  return control.transaction((tx) => createResetLink(tx, publicUrl, user.id, now));
}

/** For a user who lost the authenticator app and the recovery codes. @throws ApiError 404 */
export async function disableTwoFactorByCommand(deps: Pick<Deps, 'control' | 'secret' | 'clock'>, email: string) {
  const { control, clock } = deps;
  const [user] = await findUserByEmail(control, { email: normalizeEmail(email) });
  if (!user) throw notFound('user');
  await control.transaction(async (tx) => {
    await new SecondFactor(deps).disable(tx, user.id);
    for (const { id: accountId } of await listMemberships(tx, { user_id: user.id })) {
      const author = { accountId, type: 'command', id: null, address: null } as const;
      const subject = ['user', publicId('usr', user.id)] as const;
      await audit(tx, author, { action: 'user.two_factor_disabled', subject }, clock());
    }
  });
  return { email: user.email, twoFactor: false };
}

const ROLES: readonly string[] = ['owner', 'editor', 'viewer'] satisfies Role[];

/** @throws ApiError 404; 400 `role_invalid` */
export async function inviteByCommand(
  deps: Pick<Deps, 'control' | 'config' | 'secret' | 'clock'>,
  publicAccountId: string,
  role: string,
  email: string | undefined,
  publicUrl: string,
) {
  const { control, clock } = deps;
  if (!ROLES.includes(role)) throw badRequest('role_invalid', `The role must be one of ${ROLES.join(', ')}.`);
  const id = parseId('acc', publicAccountId);
  const [account] = id === undefined ? [] : await findAccount(control, { id });
  if (!account) throw notFound('account');
  const author = { accountId: account.id, type: 'command', id: null, address: null } as const;
  const invited = { role: role as Role, ...(email !== undefined && { email }) };
  return control.transaction((tx) => createInvitation(tx, deps, author, undefined, invited, publicUrl, clock()));
}
