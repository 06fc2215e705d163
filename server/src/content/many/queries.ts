import { statement } from '../../shared/postgres/statement.ts';
import type { AuthorColumns } from '../entries/queries.ts';
import type { ChangeRequest } from './find-matching.ts';

export interface ChangeRow extends AuthorColumns {
  id: string;
  collection_id: string;
  request: ChangeRequest;
  matched: number | null;
  undone_at: Date | null;
}

const COLUMNS = 'id, collection_id, request, author_type, author_id, matched, undone_at';
const change = { account_id: 'uuid', id: 'uuid' } as const;
const entries = { account_id: 'uuid', change_id: 'uuid', ids: 'uuid[]' } as const;

export const insertChange = statement('content.insert_entry_change', {
  ...change,
  collection_id: 'uuid',
  request: 'jsonb',
  author_type: 'text',
  author_id: 'uuid?',
  matched: 'integer?',
  expires_at: 'timestamptz',
}).runs(
  `insert into entry_changes (account_id, id, collection_id, request, author_type, author_id, matched, expires_at)
   values (:account_id, :id, :collection_id, :request, :author_type, :author_id, :matched, :expires_at)`,
);

export const findChange = statement('content.find_entry_change', change).returns<ChangeRow>(
  `select ${COLUMNS} from entry_changes where account_id = :account_id and id = :id`,
);

export const lockChange = statement('content.lock_entry_change', change).returns<ChangeRow>(
  `select ${COLUMNS} from entry_changes where account_id = :account_id and id = :id for update`,
);

export const setMatched = statement('content.set_entry_change_matched', { ...change, matched: 'integer' }).runs(
  'update entry_changes set matched = :matched where account_id = :account_id and id = :id',
);

export const setUndone = statement('content.set_entry_change_undone', { ...change, at: 'timestamptz' }).runs(
  'update entry_changes set undone_at = :at where account_id = :account_id and id = :id',
);

export const deleteChangedEntries = statement('content.delete_changed_entries', {
  account_id: 'uuid',
  change_id: 'uuid',
}).runs('delete from changed_entries where account_id = :account_id and change_id = :change_id');

/** Entries that a job is to change. */
export const insertWaiting = statement('content.insert_waiting_entries', entries).runs(
  `insert into changed_entries (account_id, change_id, entry_id)
   select :account_id, :change_id, unnest(:ids::uuid[]) on conflict do nothing`,
);

/** What became of entries. Without a version: it was not changed. */
export const saveChanged = statement('content.save_changed_entries', {
  ...entries,
  states: 'text[]',
  versions: 'integer[]',
}).runs(
  `insert into changed_entries (account_id, change_id, entry_id, state, version)
   select :account_id, :change_id, c.entry_id, c.state, c.version
   from unnest(:ids::uuid[], :states::text[], :versions::integer[]) as c (entry_id, state, version)
   on conflict (account_id, change_id, entry_id) do update set state = excluded.state, version = excluded.version`,
);

export const listWaiting = statement('content.list_waiting_entries', {
  account_id: 'uuid',
  change_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<{ entry_id: string }>(
  `select entry_id from changed_entries
   where account_id = :account_id and change_id = :change_id and state = 'waiting' and entry_id > :after
   order by entry_id limit :limit`,
);

export const listChanged = statement('content.list_changed_entries', {
  account_id: 'uuid',
  change_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<{ entry_id: string; version: number }>(
  `select entry_id, version from changed_entries
   where account_id = :account_id and change_id = :change_id and state = 'changed' and entry_id > :after
   order by entry_id limit :limit`,
);

export const countStates = statement('content.count_changed_entries', {
  account_id: 'uuid',
  change_id: 'uuid',
}).returns<{ state: string; count: number }>(
  `select state, count(*)::integer as count from changed_entries
   where account_id = :account_id and change_id = :change_id group by state`,
);

/** Versions of entries, each by its number. */
export const findVersionsOf = statement('content.find_versions_of_entries', {
  account_id: 'uuid',
  ids: 'uuid[]',
  versions: 'integer[]',
}).returns<{ entry_id: string; values: string }>(
  `select v.entry_id, v."values"::text as "values"
   from unnest(:ids::uuid[], :versions::integer[]) as wanted (entry_id, version)
   join entry_versions v on v.account_id = :account_id and v.entry_id = wanted.entry_id and v.version = wanted.version
   where v.account_id = :account_id`,
);

/** Deletes expired changes with their entries. */
export const deleteExpired = statement('content.delete_expired_entry_changes', {
  now: 'timestamptz',
  limit: 'integer',
}).returns<{ id: string }>(
  `with expired as (
     select account_id, id from entry_changes where expires_at < :now order by expires_at limit :limit
   ), entries as (
     delete from changed_entries e using expired x where e.account_id = x.account_id and e.change_id = x.id
   )
   delete from entry_changes c using expired x where c.account_id = x.account_id and c.id = x.id returning c.id`,
);
