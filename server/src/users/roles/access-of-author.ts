import { accessOf, findKeyRole, ROLE_COLUMNS, type RoleAccess, type RoleColumns } from '../../accounts/index.ts';
import type { AuthorType } from '../../shared/audit.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';

/**
 * What the author of a request may do now, for work that goes on after it. Undefined: the author has lost all access; without
 * `access`: everything.
 */
export async function accessOfAuthor(
  control: ControlTx,
  account_id: string,
  { type, id }: { type: AuthorType | null; id: string | null },
): Promise<{ access?: RoleAccess } | undefined> {
  if (id === null || type === null || type === 'command') return {};
  if (type === 'key') {
    const [key] = await findKeyRole(control, { account_id, id });
    // A token whose role is deleted is a viewer's. One with all rights ends without ending what it started.
    if (!key || (key.has_ended && (key.role === 'custom' || key.role === 'viewer'))) return undefined;
    const access = accessOf(key, ['key', id]);
    if (key.role === 'custom' && !access) return undefined;
    return access ? { access } : {};
  }
  const [member] = await findMemberRole(control, { account_id, user_id: id });
  if (!member) return undefined;
  const access = accessOf(member, ['usr', id], member.email);
  if (member.role === 'custom' && !access) return undefined;
  return access ? { access } : {};
}

/** Whether an author still has access that lets them change something: a key that was neither revoked nor has expired, or a member who is no viewer. */
export async function mayStillChange(
  control: ControlTx,
  account_id: string,
  { type, id }: { type: AuthorType; id: string | null },
): Promise<boolean> {
  if (id === null || type === 'command') return true;
  const [found] =
    type === 'key'
      ? await findKeyRole(control, { account_id, id })
      : await findMemberRole(control, { account_id, user_id: id });
  return found !== undefined && !('has_ended' in found && found.has_ended) && found.role !== 'viewer';
}

const findMemberRole = controlStatement('users.find_member_role', { account_id: 'uuid', user_id: 'uuid' }).returns<
  RoleColumns & { role: string; email: string | null }
>(
  `select member.role, case when users.email_confirmed_at is not null then users.email end as email, ${ROLE_COLUMNS}
   from members member join users on users.id = member.user_id
     left join roles own_role on own_role.account_id = member.account_id and own_role.id = member.role_id
   where member.account_id = :account_id and member.user_id = :user_id`,
);
