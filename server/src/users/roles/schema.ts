import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import {
  clearRoleKeys,
  featuresOf,
  insertRole,
  KEY_REVOKED,
  listRoles,
  lockRoles,
  NewRole,
  type RoleRow,
  updateRoleRow,
} from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import { ApiError, type Fault } from '../../shared/errors.ts';
import { STRICT } from '../../shared/http/schemas.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import {
  audited,
  define,
  deleteUnused,
  keyFaults,
  MOST_ROLES,
  type RoleChecker,
  stored,
  subjectOf,
  takenFaults,
} from './manage-roles.ts';

/** A role as a schema file has it. What is absent has its default. */
export const SchemaRole = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Names the role. One that this account does not have is found by its `key`, or else made.',
      }),
    ),
    key: Type.String({ ...NewRole.properties.key }),
    name: NewRole.properties.name,
    permissions: NewRole.properties.permissions,
    features: NewRole.properties.features,
  },
  { ...STRICT, title: 'SchemaRole' },
);
export type SchemaRole = Static<typeof SchemaRole>;

/** The roles that an account defines, oldest first. Collections are named by their IDs. */
export async function readRoleSchema(tx: ControlTx, account_id: string): Promise<SchemaRole[]> {
  return (await listRoles(tx, { account_id })).map(definitionOf);
}

const definitionOf = ({ id, key, name, permissions, features }: RoleRow): SchemaRole => {
  const granted = Object.entries(features).filter(([, level]) => level !== 'none');
  return {
    ...{ id: publicId('rol', id), key, name },
    ...(permissions.length > 0 && { permissions }),
    ...(granted.length > 0 && { features: Object.fromEntries(granted) }),
  };
};

/**
 * Makes the roles of an account what a schema says, in a transaction of the control database that must not commit if there are faults.
 * What has the same ID, or else key, is the same; a role in use is not deleted.
 * @param confirmTo see `notifyEverywhere`
 * @returns faults, by pointers into the schema, and whether processes have to confirm
 */
export async function applyRoleSchema(
  tx: ControlTx,
  checker: RoleChecker,
  author: Author,
  sent: readonly SchemaRole[],
  confirmTo: string,
  now: number,
): Promise<{ faults: Fault[]; mustConfirm: boolean }> {
  const { accountId: account_id } = author;
  const faults: Fault[] = [];
  const attempt = async (pointer: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      faults.push(...error.errors.map((fault) => ({ ...fault, pointer: pointer + fault.pointer })));
    }
  };
  await lockRoles(tx, { account_id });
  const all = await listRoles(tx, { account_id });
  const named = new Set(sent.map(({ id }) => id));
  const free = all.filter(({ id }) => !named.has(publicId('rol', id)));
  const targets = sent.map((role, i) => ({
    role,
    pointer: `/roles/${i}`,
    known: all.find(({ id }) => publicId('rol', id) === role.id) ?? free.find(({ key }) => key === role.key),
  }));
  if (sent.length > MOST_ROLES) {
    faults.push({ pointer: '/roles', code: 'too_many', detail: `An account has at most ${MOST_ROLES} roles.` });
  }
  const kept = new Set(targets.map(({ known }) => known?.id));
  for (const role of all.filter(({ id }) => !kept.has(id))) {
    await attempt('/roles', async () => {
      refuseTaken(checker, role);
      await deleteUnused(tx, author, role, now);
    });
  }
  const renamed = targets.filter(({ role, known }) => known && known.key !== role.key);
  await clearRoleKeys(tx, { account_id, ids: renamed.flatMap(({ known }) => known?.id ?? []) });
  let mustConfirm = false;
  for (const [i, { role, pointer, known }] of targets.entries()) {
    await attempt(pointer, async () => {
      const before = known && definitionOf(known);
      // Whoever pushes a schema need not have what they leave as it is.
      if (before && isDeepStrictEqual(before, { ...role, id: before.id })) return;
      const others = targets.slice(0, i).map((each) => ({ key: each.role.key }));
      const own: Fault[] = keyFaults(role.key, others);
      if (known) refuseTaken(checker, known);
      const features = featuresOf('none', role.features);
      const definition = await define(checker, role.permissions ?? [], features, own);
      const next = { account_id, key: role.key, name: role.name.trim(), ...stored(definition), now: new Date(now) };
      if (!known) {
        const [row] = await insertRole(tx, { ...next, id: newIdOf(role, now) });
        if (row) await audit(tx, author, { action: 'role.created', subject: subjectOf(row), after: audited(row) }, now);
        return;
      }
      const { name, permissions, features: had } = known;
      if (
        isDeepStrictEqual(
          { key: known.key, name, permissions, features: had },
          { key: role.key, name: next.name, ...definition },
        )
      ) {
        return;
      }
      const notice = { channel: KEY_REVOKED, payload: `${known.id} ${confirmTo}` };
      const [row] = await updateRoleRow(tx, { ...next, id: known.id, ...notice });
      mustConfirm = true;
      if (!row) return;
      const states = { before: audited(known), after: audited(row) };
      await audit(tx, author, { action: 'role.changed', subject: subjectOf(known), ...states }, now);
    });
  }
  return { faults, mustConfirm };
}

function refuseTaken({ own }: RoleChecker, role: RoleRow): void {
  const [fault] = own ? takenFaults(role, own) : [];
  if (fault) throw new ApiError(400, fault.code, fault.detail);
}

/** A role keeps its ID from one account to the next. @throws ApiError 400 `id_invalid` */
function newIdOf({ id }: SchemaRole, now: number): string {
  if (id === undefined) return newUuid(now);
  const uuid = parseId('rol', id);
  if (uuid !== undefined) return uuid;
  const detail = 'This is no ID of a role. Leave it out to get a new one.';
  throw new ApiError(400, 'id_invalid', detail, { errors: [{ pointer: '/id', code: 'id_invalid', detail }] });
}
