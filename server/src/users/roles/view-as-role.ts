import {
  accessOf,
  BUILT_IN_ROLES,
  type Caller,
  excessOver,
  type FoundMember,
  findRole,
  grantsOf,
  type Role,
  type RoleAccess,
  type RoleColumns,
  refuseSso,
  type SignedIn,
  viewOnly,
} from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { findSession, setView, type ViewColumns } from '../sign-in/queries.ts';

/** Of an ID in a path. `operator` is no role of accounts. */
const builtInRole = (name: string) => BUILT_IN_ROLES.find(({ id }) => id === name && id !== 'operator');

/**
 * From now on, the session reads the account as a member with the role does, and changes nothing.
 * @throws ApiError 404; 400 `role_exceeds_own`, `session_required`; 401 `sso_session`
 */
export function startView({ control, clock }: Deps, caller: Caller, author: Author, roleId: string): Promise<void> {
  const { accountId: account_id } = author;
  return control.transaction(async (tx) => {
    const id = parseId('rol', roleId);
    const builtIn = builtInRole(roleId);
    const [own] = id === undefined ? [] : await findRole(tx, { account_id, id });
    const role = builtIn ?? own;
    if (!role || caller.type !== 'user') throw notFound('role');
    refuseSso(caller);
    const [excess] = excessOver(role, caller);
    if (excess) throw invalid([{ ...excess, pointer: '' }]);
    await setView(tx, {
      ...{ user_id: caller.userId, id: caller.sessionId, view_account_id: account_id },
      view_role: builtIn ? builtIn.key : 'custom',
      view_role_id: builtIn ? null : (own?.id ?? null),
    });
    await audit(tx, author, { action: 'role.viewed', subject: ['role', roleId], after: { name: role.name } }, clock());
  });
}

/** Does nothing where there is no view. */
export function endView({ control, clock }: Deps, { userId, sessionId }: SignedIn, address: string): Promise<void> {
  return control.transaction(async (tx) => {
    const session = { user_id: userId, id: sessionId };
    const [found] = await findSession(tx, session);
    if (!found?.view_account_id) return;
    await setView(tx, { ...session, view_account_id: null, view_role: null, view_role_id: null });
    const author: Author = { accountId: found.view_account_id, type: 'user', id: userId, address };
    const viewed = found.view_role_id ? publicId('rol', found.view_role_id) : (found.view_role ?? '');
    await audit(tx, author, { action: 'role.view_ended', subject: ['role', viewed] }, clock());
  });
}

/** The role that a session views its account as, as it is beside a member. */
export async function viewedColumns(
  control: ControlTx,
  { view_account_id, view_role, view_role_id }: ViewColumns,
): Promise<RoleColumns & { role: Role; role_name: string | null }> {
  const [own] =
    view_account_id && view_role_id ? await findRole(control, { account_id: view_account_id, id: view_role_id }) : [];
  return {
    role: view_role ?? 'custom',
    ...{ role_id: own?.id ?? null, role_version: own?.version ?? null, role_name: own?.name ?? null },
    ...{ permissions: own?.permissions ?? null, features: own?.features ?? null },
  };
}

/**
 * What a session may read that views its account as a role: what a member with that role may, as long as the user may do as much.
 * @throws ApiError 403 `view_only`
 */
export async function viewedRole(
  control: ControlTx,
  { role, access, userId }: FoundMember,
  session: ViewColumns & { email: string | null },
): Promise<{ role: Role; access: RoleAccess | undefined }> {
  const viewed = await viewedColumns(control, session);
  const viewedAccess = accessOf(viewed, ['usr', userId], session.email);
  const exists = viewed.role !== 'custom' || viewedAccess !== undefined;
  const granted = grantsOf({ type: 'user', role: viewed.role, ...(viewedAccess && { access: viewedAccess }) });
  const own = role && ({ type: 'user', role, ...(access && { access }) } as const);
  if (!exists || !own || excessOver({ ...granted, key: viewed.role }, own).length > 0) {
    throw viewOnly('The role that you view was deleted, or may now do more than you. End the view.');
  }
  return { role: viewed.role, access: viewedAccess };
}
