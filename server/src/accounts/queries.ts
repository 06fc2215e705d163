import { controlStatement, rows } from '../shared/postgres/statement.ts';
import type { KeyType } from './key-format.ts';
import { ROLE_COLUMNS, type RoleColumns } from './roles/access.ts';

export interface AccountRow {
  id: string;
  name: string;
  time_zone: string | null;
  currency: string | null;
  exchange_rates: Record<string, string>;
  cell: string;
  created_at: Date;
}

const ACCOUNT_COLUMNS = 'id, name, time_zone, currency, exchange_rates, cell, created_at';

export interface KeyRow {
  id: string;
  account_id: string;
  type: KeyType;
  name: string;
  hint: string;
  publishable_key: string | null;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  expires_at: Date | null;
  allowed_addresses: string[] | null;
  role: 'editor' | 'viewer' | 'custom' | null;
  role_id: string | null;
}

const KEY_COLUMNS = `id, account_id, type, name, hint, publishable_key, created_at, last_used_at, revoked_at, expires_at,
  allowed_addresses, role, role_id`;

/** Without a cell, the account is created in the open one with the fewest accounts. */
export const insertAccount = controlStatement('accounts.insert', {
  id: 'uuid',
  name: 'text',
  time_zone: 'text?',
  currency: 'text?',
  cell: 'text?',
  created_at: 'timestamptz',
}).runs(
  `insert into accounts (id, name, time_zone, currency, created_at, cell)
   values (:id, :name, :time_zone, :currency, :created_at, coalesce(:cell,
     (select name from cells where is_open
      order by (select count(*) from accounts known where known.cell = cells.name), name limit 1), 'main'))`,
);

/** Sets what has not been chosen yet. */
export const chooseDefaults = controlStatement('accounts.choose_defaults', {
  id: 'uuid',
  time_zone: 'text?',
  currency: 'text?',
}).runs(
  `update accounts set time_zone = coalesce(time_zone, :time_zone), currency = coalesce(currency, :currency)
   where id = :id`,
);

export const lockAccount = controlStatement('accounts.lock', { id: 'uuid' }).returns<AccountRow>(
  `select ${ACCOUNT_COLUMNS} from accounts where id = :id and deleted_at is null for update`,
);

export const updateAccount = controlStatement('accounts.update', {
  id: 'uuid',
  name: 'text',
  time_zone: 'text?',
  currency: 'text?',
  exchange_rates: 'jsonb',
}).returns<AccountRow>(
  `update accounts set name = :name, time_zone = :time_zone, currency = :currency, exchange_rates = :exchange_rates
   where id = :id returning ${ACCOUNT_COLUMNS}`,
);

export const listAccounts = controlStatement('accounts.list', {}).returns<AccountRow>(
  `select ${ACCOUNT_COLUMNS} from accounts where deleted_at is null order by id`,
);

export const findAccount = controlStatement('accounts.find', { id: 'uuid' }).returns<AccountRow>(
  `select ${ACCOUNT_COLUMNS} from accounts where id = :id and deleted_at is null`,
);

/** How many milliseconds ago an account was moved to its cell; null: it was created there. */
export const findTimeOfMove = controlStatement('accounts.find_time_of_move', { id: 'uuid' }).returns<{
  ago: number | null;
}>('select extract(epoch from now() - moved_at)::float * 1000 as ago from accounts where id = :id');

export const markAccountDeleted = controlStatement('accounts.mark_deleted', { id: 'uuid', now: 'timestamptz' }).runs(
  "update accounts set deleted_at = :now, name = 'Deleted account' where id = :id",
);

export const listDeletedAccounts = controlStatement('accounts.list_deleted', { since: 'timestamptz' }).returns<{
  id: string;
}>('select id from accounts where deleted_at >= :since order by deleted_at');

export const insertKey = controlStatement('accounts.insert_key', {
  account_id: 'uuid',
  id: 'uuid',
  type: 'text',
  name: 'text',
  hash: 'bytea',
  hint: 'text',
  publishable_key: 'text?',
  created_at: 'timestamptz',
  expires_at: 'timestamptz?',
  allowed_addresses: 'text[]?',
  role: 'text?',
  role_id: 'uuid?',
}).returns<KeyRow>(
  `insert into api_keys (account_id, id, type, name, hash, hint, publishable_key, created_at, expires_at, allowed_addresses, role,
     role_id)
   values (:account_id, :id, :type, :name, :hash, :hint, :publishable_key, :created_at, :expires_at, :allowed_addresses, :role,
     :role_id)
   returning ${KEY_COLUMNS}`,
);

export const listKeys = controlStatement('accounts.list_keys', { account_id: 'uuid' }).returns<KeyRow>(
  `select ${KEY_COLUMNS} from api_keys where account_id = :account_id order by id`,
);

/** The latest active one. */
export const findPublishableKey = controlStatement('accounts.find_publishable_key', { account_id: 'uuid' }).returns<{
  publishable_key: string;
}>(
  `select publishable_key from api_keys
   where account_id = :account_id and type = 'publishable' and revoked_at is null order by id desc limit 1`,
);

export const countKeys = controlStatement('accounts.count_keys', { account_id: 'uuid' }).returns<{ count: number }>(
  'select count(*)::int as count from api_keys where account_id = :account_id and revoked_at is null',
);

/** A page, newest first. A null filter matches every key. */
export const listKeyPage = controlStatement('accounts.list_key_page', {
  account_id: 'uuid',
  before: 'uuid',
  type: 'text?',
  is_revoked: 'boolean?',
  limit: 'integer',
}).returns<KeyRow>(
  `select ${KEY_COLUMNS} from api_keys where account_id = :account_id and id < :before
     and (:type is null or type = :type) and (:is_revoked is null or (revoked_at is not null) = :is_revoked)
   order by id desc limit :limit`,
);

export const findKey = controlStatement('accounts.find_key_by_id', { id: 'uuid' }).returns<KeyRow>(
  `select ${KEY_COLUMNS} from api_keys where id = :id`,
);

/** A key ends at a time, unless it ends before. */
export const endKey = controlStatement('accounts.end_key', { account_id: 'uuid', id: 'uuid', at: 'timestamptz' }).runs(
  `update api_keys set expires_at = least(expires_at, :at) where account_id = :account_id and id = :id`,
);

/** Not scoped by account: whoever has what the hash is of has the key. */
export const replaceKeyHash = controlStatement('accounts.replace_key_hash', {
  id: 'uuid',
  hash: 'bytea',
  next: 'bytea',
  hint: 'text',
}).returns<KeyRow>(
  `update api_keys set hash = :next, hint = :hint where id = :id and hash = :hash and revoked_at is null returning ${KEY_COLUMNS}`,
);

/** Not scoped by account: whoever has the token may have it revoked. */
export const findKeyToRevoke = controlStatement('accounts.find_key_to_revoke', { hash: 'bytea' }).returns<KeyRow>(
  `select ${KEY_COLUMNS} from api_keys where hash = :hash and type <> 'publishable'`,
);

/** Keys that end before a time, each once. */
export const claimEndingKeys = controlStatement('accounts.claim_ending_keys', {
  now: 'timestamptz',
  before: 'timestamptz',
  limit: 'integer',
}).returns<KeyRow>(
  `update api_keys set expiry_announced_at = :now
   where id in (
     select id from api_keys
     where expires_at > :now and expires_at < :before and revoked_at is null and expiry_announced_at is null
     order by expires_at limit :limit for update skip locked
   ) returning ${KEY_COLUMNS}`,
);

export const renameKey = controlStatement('accounts.rename_key', {
  account_id: 'uuid',
  id: 'uuid',
  name: 'text',
}).returns<KeyRow & { old_name: string }>(
  `with before as (
     select id as old_id, name as old_name from api_keys where account_id = :account_id and id = :id for update)
   update api_keys set name = :name from before where account_id = :account_id and id = before.old_id
   returning ${KEY_COLUMNS}, before.old_name`,
);

/** Not scoped by account: this is how the account is found. */
export const findKeyByHash = controlStatement('accounts.find_key', { hash: 'bytea' }).returns<
  Omit<KeyRow, 'role_id'> & RoleColumns & { cell: string }
>(
  `select ${KEY_COLUMNS.replace(/\w+/g, 'api_keys.$&').replace(', api_keys.role_id', '')}, ${ROLE_COLUMNS},
     (select cell from accounts where accounts.id = api_keys.account_id) as cell
   from api_keys left join roles own_role on own_role.account_id = api_keys.account_id and own_role.id = api_keys.role_id
   where hash = :hash and revoked_at is null`,
);

/** What a key may do. */
export const findKeyRole = controlStatement('accounts.find_key_role', { account_id: 'uuid', id: 'uuid' }).returns<
  RoleColumns & { role: string | null; has_ended: boolean }
>(
  `select api_keys.role, (revoked_at is not null or coalesce(expires_at <= now(), false)) as has_ended, ${ROLE_COLUMNS}
   from api_keys left join roles own_role on own_role.account_id = api_keys.account_id and own_role.id = api_keys.role_id
   where api_keys.account_id = :account_id and api_keys.id = :id`,
);

/** Those of several keys that were revoked, or erased with their account. */
export const findRevokedKeys = controlStatement('accounts.find_revoked_keys', { ids: 'uuid[]' }).returns<{
  id: string;
}>(
  `select id from unnest(:ids) as given (id)
   where not exists (select from api_keys where api_keys.id = given.id and revoked_at is null)`,
);

/** Not scoped by account, since the operator's command names none. The notification is sent with the commit. */
export const revokeKey = controlStatement('accounts.revoke_key', {
  id: 'uuid',
  channel: 'text',
  payload: 'text',
}).returns<KeyRow>(
  `with revoked as (
     update api_keys set revoked_at = coalesce(revoked_at, now()) where id = :id returning ${KEY_COLUMNS})
   select ${KEY_COLUMNS} from revoked, pg_notify(:channel, :payload)`,
);

export const touchKeys = controlStatement('accounts.touch_keys', {
  used: rows({ id: 'uuid', used_at: 'timestamptz' }),
}).runs(
  `update api_keys set last_used_at = greatest(last_used_at, w.used_at)
   from :used as w where api_keys.id = w.id`,
);
