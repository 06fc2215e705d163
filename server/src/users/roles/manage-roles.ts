import {
  BUILT_IN_ROLES,
  type Caller,
  deleteRole,
  excessOf,
  type Features,
  featuresOf,
  type Grants,
  grantsOf,
  insertRole,
  KEY_FORGOTTEN,
  KEY_REVOKED,
  listRoles,
  lockRole,
  lockRoles,
  mayHaveSchema,
  type NewRole,
  type Permission,
  type RoleChange,
  type RoleResponse,
  type RoleRow,
  roleIdOf,
  updateRoleRow,
} from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, invalid, notFound, refuse } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { notifyEverywhere } from '../../shared/postgres/confirm.ts';
import { type ControlTx, commitOn } from '../../shared/postgres/database.ts';
import { HEARTBEAT_TTL_MS } from '../../shared/postgres/listener.ts';
import { isoTime } from '../../shared/time.ts';
import { countAllUses, countUses, detachEndedInvitations, detachEndedKeys } from './queries.ts';

/** Checks permissions against the collections of an account, and names these by their IDs. Adds faults. */
export type ResolvePermissions = (
  caller: Caller,
  permissions: readonly Permission[],
  faults: Fault[],
) => Promise<Permission[]>;

/** Roles of one account; more would make lists of them unreadable. */
export const MOST_ROLES = 200;

interface RoleDeps extends Deps {
  resolve: ResolvePermissions;
}

const serializeRole = (row: RoleRow): RoleResponse => ({
  id: publicId('rol', row.id),
  key: row.key,
  name: row.name,
  builtIn: false,
  permissions: row.permissions,
  features: row.features,
  version: row.version,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});

/** The built-in roles, then those of the account, the oldest first. */
export async function readRoles({ control }: Pick<Deps, 'control'>, accountId: string): Promise<RoleResponse[]> {
  const own = await listRoles(control, { account_id: accountId });
  const uses = new Map(
    (await countAllUses(control, { account_id: accountId })).map(({ role, role_id, members, invitations, keys }) => [
      roleIdOf({ role, role_id }),
      { members, invitations, keys },
    ]),
  );
  return [...BUILT_IN_ROLES, ...own.map(serializeRole)].map((role) => ({
    ...role,
    uses: uses.get(role.id) ?? { members: 0, invitations: 0, keys: 0 },
  }));
}

/** @throws ApiError 400 with every fault */
export async function createRole(
  tx: ControlTx,
  deps: RoleDeps,
  caller: Caller,
  author: Author,
  sent: NewRole,
): Promise<RoleResponse> {
  const { accountId: account_id } = author;
  const now = deps.clock();
  await lockRoles(tx, { account_id });
  const existing = await listRoles(tx, { account_id });
  if (existing.length >= MOST_ROLES) throw badRequest('too_many', `An account has at most ${MOST_ROLES} roles.`);
  const name = sent.name.trim();
  const key = sent.key ?? keyFrom(name, existing);
  const faults = keyFaults(key, existing);
  const definition = await define(
    checkerOf(deps, caller),
    sent.permissions ?? [],
    featuresOf('none', sent.features),
    faults,
  );
  const [row] = await insertRole(tx, {
    account_id,
    id: newUuid(now),
    key,
    name,
    ...stored(definition),
    now: new Date(now),
  });
  if (!row) throw new Error('the role was not inserted');
  await audit(tx, author, { action: 'role.created', subject: subjectOf(row), after: audited(row) }, now);
  return serializeRole(row);
}

/** Changes a role. It applies everywhere once this returns. @throws ApiError 404; 400 with every fault */
export async function changeRole(
  deps: RoleDeps,
  caller: Caller,
  author: Author,
  roleId: string,
  sent: RoleChange,
): Promise<RoleResponse> {
  const { accountId: account_id } = author;
  const id = idOf(roleId);
  const now = deps.clock();
  const client = await deps.control.connect('headwater-roles');
  let changed: RoleRow | undefined;
  try {
    await notifyEverywhere(client, KEY_FORGOTTEN, HEARTBEAT_TTL_MS, async (confirmTo) => {
      await client.query('begin');
      try {
        await lockRoles(client, { account_id });
        const [before] = await lockRole(client, { account_id, id });
        if (!before) throw notFound('role');
        if (sent.version !== undefined && sent.version !== before.version) {
          const detail = `The role is at version ${before.version}, not ${sent.version}. Read it again and retry.`;
          throw invalid([{ pointer: '/version', code: 'version_conflict', detail }]);
        }
        const faults: Fault[] = [];
        refuse(takenFaults(before, grantsOf(caller)));
        const key = sent.key ?? before.key;
        if (key !== before.key) faults.push(...keyFaults(key, await listRoles(client, { account_id })));
        const features = { ...before.features, ...sent.features };
        const checker = checkerOf(deps, caller);
        // What a change leaves as it is stays valid, such as the locale that the account no longer has.
        const resolve = sent.permissions ? checker.resolve : async () => before.permissions;
        const definition = await define(
          { ...checker, resolve },
          sent.permissions ?? before.permissions,
          features,
          faults,
        );
        const name = sent.name?.trim() ?? before.name;
        const payload = { channel: KEY_REVOKED, payload: `${id} ${confirmTo}` };
        const next = { account_id, id, key, name, ...stored(definition), now: new Date(now), ...payload };
        [changed] = await updateRoleRow(client, next);
        if (changed) {
          const states = { before: audited(before), after: audited(changed) };
          await audit(client, author, { action: 'role.changed', subject: subjectOf(before), ...states }, now);
        }
        await commitOn(client);
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
      return changed !== undefined;
    });
  } finally {
    await client.end();
  }
  if (!changed) throw notFound('role');
  return serializeRole(changed);
}

/** @throws ApiError 404; 400 `role_in_use`, `role_exceeds_own` */
export function removeRole(deps: RoleDeps, caller: Caller, author: Author, roleId: string): Promise<RoleResponse> {
  const { accountId: account_id } = author;
  const id = idOf(roleId);
  return deps.control.transaction(async (tx) => {
    await lockRoles(tx, { account_id });
    const [before] = await lockRole(tx, { account_id, id });
    if (!before) throw notFound('role');
    refuse(takenFaults(before, grantsOf(caller)));
    await deleteUnused(tx, author, before, deps.clock());
    return serializeRole(before);
  });
}

/** Nobody takes away, either, what they could not have given. */
export const takenFaults = (role: RoleRow, own: Grants): Fault[] =>
  excessOf(role, own)
    .map((fault) => ({ ...fault, pointer: '' }))
    .slice(0, 1);

/** @throws ApiError 400 `role_in_use` */
export async function deleteUnused(tx: ControlTx, author: Author, before: RoleRow, now: number): Promise<void> {
  const { id } = before;
  const { accountId: account_id } = author;
  const [uses] = await countUses(tx, { account_id, role_id: id, public_id: publicId('rol', id) });
  if (uses && (uses.members + uses.keys + uses.invitations > 0 || uses.has_sso)) {
    const inSso = uses.has_sso ? ', and by single sign-on' : '';
    const detail = `The role "${before.key}" is used by ${uses.members} members, ${uses.keys} API keys and ${uses.invitations} open invitations${inSso}. Give them another role first.`;
    throw badRequest('role_in_use', detail);
  }
  await detachEndedKeys(tx, { account_id, role_id: id });
  await detachEndedInvitations(tx, { account_id, role_id: id });
  await deleteRole(tx, { account_id, id });
  await audit(tx, author, { action: 'role.deleted', subject: subjectOf(before), before: audited(before) }, now);
}

/** @throws ApiError 400 `role_built_in`; 404 */
function idOf(roleId: string): string {
  if (BUILT_IN_ROLES.some(({ id }) => id === roleId)) {
    throw badRequest(
      'role_built_in',
      'Built-in roles cannot be changed. Create a role with these permissions instead.',
    );
  }
  const id = parseId('rol', roleId);
  if (id === undefined) throw notFound('role');
  return id;
}

/** How permissions are checked, and what who gives them has; without it: everything. */
export interface RoleChecker {
  resolve(permissions: readonly Permission[], faults: Fault[]): Promise<Permission[]>;
  own: Grants | undefined;
}

const checkerOf = ({ resolve }: RoleDeps, caller: Caller): RoleChecker => ({
  resolve: (permissions, faults) => resolve(caller, permissions, faults),
  own: grantsOf(caller),
});

/** @throws ApiError 400 with every fault */
export async function define(
  { resolve, own }: RoleChecker,
  sent: readonly Permission[],
  features: Features,
  faults: Fault[],
): Promise<Grants> {
  const permissions = await resolve(sent, faults);
  if (features.schema === 'write' && !mayHaveSchema(permissions)) {
    const detail =
      'Whoever changes the schema can make any collection public, so the role must read all entries: add the action read to "*".';
    faults.push({ pointer: '/features/schema', code: 'read_required', detail });
  }
  refuse([...faults, ...(own ? excessOf({ permissions, features }, own) : [])]);
  return { permissions, features };
}

export const stored = ({ permissions, features }: Grants) => ({
  permissions: JSON.stringify(permissions),
  features: JSON.stringify(features),
});

function keyFrom(name: string, existing: readonly RoleRow[]): string {
  const base =
    name
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, 50) || 'role';
  const isFree = (key: string) => keyFaults(key, existing).length === 0;
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}-${n}`;
    if (isFree(key)) return key;
  }
}

export function keyFaults(key: string, existing: readonly Pick<RoleRow, 'key'>[]): Fault[] {
  const isTaken = key === 'custom' || [...BUILT_IN_ROLES, ...existing].some((role) => role.key === key);
  const detail = `There is a role with the key "${key}". Choose another one.`;
  return isTaken ? [{ pointer: '/key', code: 'key_taken', detail }] : [];
}

export const subjectOf = ({ id }: RoleRow) => ['role', publicId('rol', id)] as const;

export const audited = ({ key, name, permissions, features }: RoleRow) => ({
  ...{ key, name },
  ...Object.fromEntries(Object.entries(features).map(([feature, level]) => [`features.${feature}`, level])),
  permissions,
});
