import { statement } from '../../shared/postgres/statement.ts';

export interface HookRow {
  account_id: string;
  id: string;
  name: string;
  url: string;
  /** Public IDs. */
  collection_ids: string[] | null;
  on_error: 'refuse' | 'publish';
  is_enabled: boolean;
  secret: Buffer;
  last_outcome: 'allowed' | 'refused' | 'failed' | null;
  last_error: string | null;
  last_asked_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `account_id, id, name, url, collection_ids, on_error, is_enabled, secret, last_outcome, last_error,
  last_asked_at, created_at, updated_at`;
const HOOK = { account_id: 'uuid', id: 'uuid' } as const;
const SENT = {
  name: 'text',
  url: 'text',
  collection_ids: 'text[]?',
  on_error: 'text',
  is_enabled: 'boolean',
  now: 'timestamptz',
} as const;

/** Oldest first. */
export const listHooks = statement('content.list_publish_hooks', { account_id: 'uuid' }).returns<HookRow>(
  `select ${COLUMNS} from publish_hooks where account_id = :account_id order by id`,
);

/** The hooks that decide about entries of a collection (public ID). */
export const findHooksOf = statement('content.find_publish_hooks_of', {
  account_id: 'uuid',
  collection: 'text',
}).returns<HookRow>(
  `select ${COLUMNS} from publish_hooks
   where account_id = :account_id and is_enabled and (collection_ids is null or :collection = any(collection_ids))
   order by id`,
);

export const lockHook = statement('content.lock_publish_hook', HOOK).returns<HookRow>(
  `select ${COLUMNS} from publish_hooks where account_id = :account_id and id = :id for update`,
);

/** Returns no row if the account already has `max` hooks. */
export const insertHook = statement('content.insert_publish_hook', {
  ...HOOK,
  ...SENT,
  secret: 'bytea',
  max: 'integer',
}).returns<HookRow>(
  `insert into publish_hooks (account_id, id, name, url, collection_ids, on_error, is_enabled, secret, created_at, updated_at)
   select :account_id, :id, :name, :url, :collection_ids, :on_error, :is_enabled, :secret, :now, :now
   where (select count(*) from publish_hooks where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

export const updateHook = statement('content.update_publish_hook', { ...HOOK, ...SENT }).returns<HookRow>(
  `update publish_hooks set name = :name, url = :url, collection_ids = :collection_ids, on_error = :on_error,
     is_enabled = :is_enabled, updated_at = :now
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteHook = statement('content.delete_publish_hook', HOOK).returns<HookRow>(
  `delete from publish_hooks where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const recordOutcome = statement('content.record_publish_hook_outcome', {
  ...HOOK,
  outcome: 'text',
  error: 'text?',
  now: 'timestamptz',
}).runs(
  `update publish_hooks set last_outcome = :outcome, last_error = :error, last_asked_at = :now
   where account_id = :account_id and id = :id`,
);

/** Which of the collections (UUIDs) the account has. */
export const findKnownCollections = statement('content.find_known_collections', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<{ id: string }>(
  `select id from collections where account_id = :account_id and id = any(:ids) and status = 'active'`,
);
