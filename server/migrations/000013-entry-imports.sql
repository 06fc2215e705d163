-- A file of entries that was uploaded, what is to become of it, and what did: see the decision record 0017.
create table entry_imports (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  -- As it was sent.
  name text not null,
  bytes bigint not null default 0,
  -- What parts its cells; null until all of it has arrived.
  separator text,
  -- Headings and samples of the columns.
  columns jsonb,
  -- How the rows are read, as it was last rehearsed.
  plan jsonb,
  step text not null default 'upload' check (step in ('upload', 'rehearsal', 'import', 'undo')),
  is_done boolean not null default false,
  -- The job that does the step.
  job_id uuid,
  -- Who asked for the step: by whom the entries are written.
  author_kind text check (author_kind in ('user', 'key', 'command')),
  author_id uuid,
  -- How far the step is: batches that are written, and rows of the file that are in them.
  batches integer not null default 0,
  records bigint not null default 0,
  -- What each step has counted so far.
  rehearsal jsonb,
  imported jsonb,
  undone jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index entry_imports_by_collection on entry_imports (account_id, collection_id, id);
create index entry_imports_by_expiry on entry_imports (expires_at);

-- The bytes of the file. In the database, so that whichever process does the job has them, also behind a bucket.
create table entry_import_parts (
  account_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (account_id, import_id, number)
);

-- What a step did with some hundred rows, written in the transaction that did it.
create table entry_import_batches (
  account_id uuid not null,
  import_id uuid not null,
  step text not null check (step in ('rehearsal', 'import', 'undo')),
  number integer not null,
  -- Lines of the results' file.
  results text not null,
  -- Of an import: the entries it wrote, their versions since, and what they were before (null: not there).
  entry_ids uuid[] not null default '{}',
  versions integer[] not null default '{}',
  befores text[] not null default '{}',
  -- The row of the file that each came from.
  rows bigint[] not null default '{}',
  primary key (account_id, import_id, step, number)
);
