import { statement } from '../shared/postgres/database.ts';
import type { KeyKind } from './key-format.ts';

export interface AccountRow {
  id: string;
  name: string;
  created_at: Date;
}

export interface KeyRow {
  id: string;
  account_id: string;
  kind: KeyKind;
  name: string;
  hint: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const KEY_COLUMNS = 'id, account_id, kind, name, hint, created_at, last_used_at, revoked_at';

export const insertAccount = statement(
  'accounts.insert',
  'insert into accounts (id, name, created_at) values ($1, $2, $3)',
);

export const listAccounts = statement<AccountRow>(
  'accounts.list',
  'select id, name, created_at from accounts order by id',
);

export const findAccount = statement<AccountRow>(
  'accounts.find',
  'select id, name, created_at from accounts where id = $1',
);

export const insertKey = statement<KeyRow>(
  'accounts.insert_key',
  `insert into api_keys (account_id, id, kind, name, hash, hint, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${KEY_COLUMNS}`,
);

export const listKeys = statement<KeyRow>(
  'accounts.list_keys',
  `select ${KEY_COLUMNS} from api_keys where account_id = $1 order by id`,
);

/** The newest first, from before an id; null filters nothing. */
export const listKeyPage = statement<KeyRow>(
  'accounts.list_key_page',
  `select ${KEY_COLUMNS} from api_keys where account_id = $1 and id < $2
     and ($4::text is null or kind = $4) and ($5::bool is null or (revoked_at is not null) = $5)
   order by id desc limit $3`,
);

export const findKey = statement<KeyRow>(
  'accounts.find_key_by_id',
  `select ${KEY_COLUMNS} from api_keys where id = $1`,
);

export const renameKey = statement<KeyRow & { old_name: string }>(
  'accounts.rename_key',
  `with before as (select id as old_id, name as old_name from api_keys where account_id = $1 and id = $2 for update)
   update api_keys set name = $3 from before where account_id = $1 and id = before.old_id
   returning ${KEY_COLUMNS}, before.old_name`,
);

/** The one query that has no account: it finds it. */
export const findKeyByHash = statement<KeyRow>(
  'accounts.find_key',
  `select ${KEY_COLUMNS} from api_keys where hash = $1 and revoked_at is null`,
);

/** By id alone: the operator's command names no account. Who listens on the channel is told with the commit. */
export const revokeKey = statement<KeyRow>(
  'accounts.revoke_key',
  `with revoked as (
     update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${KEY_COLUMNS})
   select ${KEY_COLUMNS} from revoked, pg_notify($2, $3)`,
);

/** The server's processes for connections of that name to this database. */
export const listListeners = statement<{ pid: number }>(
  'accounts.list_listeners',
  'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
);

export const touchKeys = statement(
  'accounts.touch_keys',
  `update api_keys set last_used_at = greatest(last_used_at, used.at)
   from unnest($1::uuid[], $2::timestamptz[]) as used (id, at) where api_keys.id = used.id`,
);
