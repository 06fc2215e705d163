import { findAccount, type Role } from '../accounts/index.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { normalizeEmail } from './create-user.ts';
import { createInvitation } from './invitations/invitations.ts';
import { findUserByEmail, listUsers } from './queries.ts';
import { createResetLink } from './sign-in/change-password.ts';

/** What operators do on the command line when the dashboard cannot help: nobody can sign in, or an account has no owner. */
export async function listUsersByCommand(control: ControlDatabase) {
  const rows = await listUsers(control);
  return rows.map(({ id, email, name, created_at }) => ({
    id: publicId('usr', id),
    email,
    name,
    createdAt: isoTime(created_at),
  }));
}

/** @throws ApiError 404 */
export async function resetByCommand(control: ControlDatabase, email: string, publicUrl: string, now: number) {
  const [user] = await findUserByEmail(control, { email: normalizeEmail(email) });
  if (!user) throw notFound('user');
  return control.transaction((tx) => createResetLink(tx, publicUrl, user.id, now));
}

const ROLES: readonly string[] = ['owner', 'editor', 'viewer'] satisfies Role[];

/** @throws ApiError 404; 400 `role_invalid` */
export async function inviteByCommand(
  control: ControlDatabase,
  publicAccountId: string,
  role: string,
  email: string | undefined,
  publicUrl: string,
  now: number,
) {
  if (!ROLES.includes(role)) throw badRequest('role_invalid', `The role must be one of ${ROLES.join(', ')}.`);
  const id = parseId('acc', publicAccountId);
  const [account] = id === undefined ? [] : await findAccount(control, { id });
  if (!account) throw notFound('account');
  const author = { accountId: account.id, type: 'command', id: null, address: null } as const;
  const invited = { role: role as Role, ...(email !== undefined && { email }) };
  return control.transaction((tx) => createInvitation(tx, author, invited, publicUrl, now));
}
