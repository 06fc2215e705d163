-- Named states of the table of a collection in the dashboard. `owner_id` is the user or API key that alone sees it; null: all members do.
create table entry_views (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  owner_id uuid,
  name text not null,
  state jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index entry_views_by_name on entry_views (account_id, collection_id, owner_id, lower(name)) nulls not distinct;

-- What a user has changed in the form of an entry and not saved yet. Nobody else reads it.
create table entry_drafts (
  account_id uuid not null,
  entry_id uuid not null,
  owner_id uuid not null,
  -- The version of the entry that the changes are based on.
  version integer not null,
  changes jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, entry_id, owner_id)
);
create index entry_drafts_by_time on entry_drafts (updated_at);

-- The field that the user is editing.
alter table entry_presence add column field text;
