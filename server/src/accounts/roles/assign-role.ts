import { type Fault, invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import type { Caller } from '../guard.ts';
import type { Role } from '../session-caller.ts';
import { BUILT_IN_ROLES } from './built-in.ts';
import { excessOf, type Grants } from './exceeds.ts';
import { grantsOf, type Holder } from './grants.ts';
import { findRoleByKey, shareLockRole } from './queries.ts';

/** A role as it is stored beside who has it. */
interface AssignedRole {
  role: Role;
  /** UUID, if the account defines it. */
  role_id: string | null;
}

/**
 * The role that a request names by `roleId` (an ID or key) or `role`, which stays as it is until the transaction ends.
 * @param caller who assigns it; undefined: a command
 * @throws ApiError 400 `role_unknown`, `role_conflict`, `role_not_assignable`, `role_exceeds_own`
 */
export async function assignedRole(
  tx: ControlTx,
  account_id: string,
  caller: Caller | undefined,
  sent: { role?: Role | undefined; roleId?: string | null | undefined },
): Promise<AssignedRole | undefined> {
  const name = sent.roleId ?? (sent.role === 'custom' ? undefined : sent.role);
  const refuse = (code: string, detail: string, pointer = '/roleId') => invalid([{ pointer, code, detail }]);
  if (name === undefined) {
    if (sent.role !== 'custom') return undefined;
    throw refuse('required', 'Name the role by its ID in `roleId`.');
  }
  if (sent.role !== undefined && sent.roleId != null && sent.role !== 'custom' && sent.role !== sent.roleId) {
    throw refuse('role_conflict', '`role` and `roleId` name different roles. Send one of them.');
  }
  if (name === 'operator') {
    throw refuse('role_not_assignable', 'Operators are set by the command line: `headwater users`.');
  }
  const builtIn = BUILT_IN_ROLES.find(({ id }) => id === name);
  const id = parseId('rol', name);
  const [found] = builtIn
    ? []
    : id === undefined
      ? await findRoleByKey(tx, { account_id, key: name })
      : await shareLockRole(tx, { account_id, id });
  const granted = builtIn ?? found;
  if (!granted) throw refuse('role_unknown', 'There is no role with this ID in the account.');
  if (caller) refuseExcess(excessOver(granted, caller));
  return builtIn ? { role: builtIn.key as Role, role_id: null } : { role: 'custom', role_id: found?.id ?? null };
}

/** What a role may do beyond its giver. Owners may do more than any role can say: they delete the account. */
export function excessOver(granted: Grants & { key: string }, caller: Holder): Fault[] {
  if (caller.access && granted.key === 'owner') {
    return [{ pointer: '', code: 'role_exceeds_own', detail: 'Only owners make others owners, or change them.' }];
  }
  return excessOf(granted, grantsOf(caller));
}

function refuseExcess([first]: readonly Fault[]): void {
  if (first) throw invalid([{ ...first, pointer: '/roleId' }]);
}

/** @throws ApiError 400 `role_exceeds_own` if somebody's role may do what the caller may not */
export async function refuseHigher(
  tx: ControlTx,
  account_id: string,
  caller: Caller,
  { role, role_id }: AssignedRole,
): Promise<void> {
  const granted = role_id
    ? (await shareLockRole(tx, { account_id, id: role_id }))[0]
    : BUILT_IN_ROLES.find(({ key }) => key === role);
  if (!granted) return;
  const [first] = excessOver(granted, caller);
  if (first) throw invalid([{ pointer: '', code: first.code, detail: 'Their role may do what yours may not.' }]);
}

/** The ID of a role in responses. */
export const roleIdOf = ({ role, role_id }: AssignedRole): string => (role_id ? publicId('rol', role_id) : role);
