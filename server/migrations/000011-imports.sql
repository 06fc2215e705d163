-- An uploaded file of entries, how its rows map to entries, and the result of each stage. See decision record 0016.
create table entry_imports (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  -- The name of the file.
  name text not null,
  bytes bigint not null default 0,
  -- Separates the cells of a row; null until the upload is complete.
  delimiter text,
  -- Headings and sample cells.
  columns jsonb,
  -- Maps columns to fields, as of the last dry run.
  mapping jsonb,
  stage text not null default 'upload' check (stage in ('upload', 'dry_run', 'import', 'undo')),
  is_stage_done boolean not null default false,
  -- The job that runs the stage.
  job_id uuid,
  -- Who started the stage, which makes them the author of the entries.
  author_type text check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  -- Progress of the stage: the number of committed batches, and of the rows of the file they cover.
  batches_done integer not null default 0,
  rows_read bigint not null default 0,
  -- Counts of each stage.
  dry_run jsonb,
  imported jsonb,
  undone jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index entry_imports_by_collection on entry_imports (account_id, collection_id, id);
create index entry_imports_by_expiry on entry_imports (expires_at);

-- The bytes of the file. They are in the database, where every process can read them, whatever the file storage.
create table entry_import_parts (
  account_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (account_id, import_id, number)
);

-- What a stage did with a batch of rows, committed together with its changes.
create table entry_import_batches (
  account_id uuid not null,
  import_id uuid not null,
  stage text not null check (stage in ('dry_run', 'import', 'undo')),
  number integer not null,
  -- Lines of the results file.
  results text not null,
  -- Written by the import: entries, their new versions, and their previous values as JSON (null for a new entry).
  entry_ids uuid[] not null default '{}',
  versions integer[] not null default '{}',
  previous_values text[] not null default '{}',
  -- The row of the file that each entry came from.
  row_numbers bigint[] not null default '{}',
  primary key (account_id, import_id, stage, number)
);
