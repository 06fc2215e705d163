-- Changes of many entries by a query, which can be undone for 30 days.
create table entry_changes (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  -- What was requested: the query and the change.
  request jsonb not null,
  author_type text not null check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  -- How many entries there were; null: their IDs are still being collected.
  matched integer,
  undone_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index entry_changes_by_expiry on entry_changes (expires_at);

create table changed_entries (
  account_id uuid not null,
  change_id uuid not null,
  entry_id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'changed', 'unchanged', 'refused', 'undone', 'skipped')),
  -- After the change.
  version integer,
  primary key (account_id, change_id, entry_id)
);
create index changed_entries_waiting on changed_entries (account_id, change_id, entry_id) where state = 'waiting';
