import { controlStatement } from '../../shared/postgres/statement.ts';
import type { Features, Permission } from './contract.ts';

export interface RoleRow {
  id: string;
  key: string;
  name: string;
  permissions: Permission[];
  features: Features;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, key, name, permissions, features, version, created_at, updated_at';
const ROLE = { account_id: 'uuid', id: 'uuid' } as const;
const definition = { key: 'text', name: 'text', permissions: 'jsonb', features: 'jsonb', now: 'timestamptz' } as const;

export const listRoles = controlStatement('accounts.list_roles', { account_id: 'uuid' }).returns<RoleRow>(
  `select ${COLUMNS} from roles where account_id = :account_id order by id`,
);

export const findRole = controlStatement('accounts.find_role', ROLE).returns<RoleRow>(
  `select ${COLUMNS} from roles where account_id = :account_id and id = :id`,
);

/** A role that is about to be assigned: it stays as it is until the transaction ends. */
export const shareLockRole = controlStatement('accounts.share_lock_role', ROLE).returns<RoleRow>(
  `select ${COLUMNS} from roles where account_id = :account_id and id = :id for share`,
);

export const findRoleByKey = controlStatement('accounts.find_role_by_key', {
  account_id: 'uuid',
  key: 'text',
}).returns<RoleRow>(`select ${COLUMNS} from roles where account_id = :account_id and key = :key for share`);

export const lockRole = controlStatement('accounts.lock_role', ROLE).returns<RoleRow>(
  `select ${COLUMNS} from roles where account_id = :account_id and id = :id for update`,
);

/** One change of the roles of an account at a time. */
export const lockRoles = controlStatement('accounts.lock_roles', { account_id: 'uuid' }).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text, 21))',
);

export const insertRole = controlStatement('accounts.insert_role', { ...ROLE, ...definition }).returns<RoleRow>(
  `insert into roles (account_id, id, key, name, permissions, features, created_at, updated_at)
   values (:account_id, :id, :key, :name, :permissions, :features, :now, :now) returning ${COLUMNS}`,
);

/** Every process drops what it knows of tokens with the role. */
export const updateRole = controlStatement('accounts.update_role', {
  ...ROLE,
  ...definition,
  channel: 'text',
  payload: 'text',
}).returns<RoleRow>(
  `with changed as (
     update roles set key = :key, name = :name, permissions = :permissions, features = :features,
       version = version + 1, updated_at = :now
     where account_id = :account_id and id = :id returning ${COLUMNS})
   select ${COLUMNS} from changed, pg_notify(:channel, :payload)`,
);

/** Frees the keys of roles that get others in the same transaction. */
export const clearRoleKeys = controlStatement('accounts.clear_role_keys', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).runs('update roles set key = id::text where account_id = :account_id and id = any(:ids)');

export const deleteRole = controlStatement('accounts.delete_role', ROLE).runs(
  'delete from roles where account_id = :account_id and id = :id',
);
