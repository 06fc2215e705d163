-- Of an entry's current version: what kind of change made it (null: its creation), of which fields, after which version it was
-- made anew, and who made it (null: nobody who is known).
alter table entries
  add column change text check (change in ('changed', 'deleted', 'restored')),
  add column changed_fields text[],
  add column restored_from integer,
  add column author_kind text check (author_kind in ('user', 'key', 'command')),
  add column author_id uuid;

-- What was replaced, written by the statement that replaces it. The current version is the entry's own row.
create table entry_versions (
  account_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  "values" json not null,
  status text not null,
  change text,
  changed_fields text[],
  restored_from integer,
  author_kind text,
  author_id uuid,
  made_at timestamptz(3) not null,
  primary key (account_id, entry_id, version)
);

-- The trash of a collection, by when they were deleted, and of all of them.
create index entries_deleted on entries (account_id, collection_id, updated_at, id) where status = 'deleted';
create index entries_deleted_by_time on entries (updated_at) where status = 'deleted';

-- True: it is gone for everybody, and a worker removes what it held, piece by piece.
alter table collections add column purging boolean not null default false;
create index collections_deleted on collections (account_id, updated_at, id) where status = 'deleted';
create index collections_purging on collections (account_id, id) where purging;
