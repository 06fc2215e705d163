-- Buckets that receive the datasets of an account as Parquet.
create table warehouses (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- null: Amazon S3.
  endpoint text,
  region text not null,
  bucket text not null,
  prefix text not null,
  is_path_style boolean not null,
  access_key_id text not null,
  credentials bytea not null,
  datasets text[] not null,
  -- null: all that there is.
  starts_on date,
  mode text not null check (mode in ('live', 'off')),
  -- The number of its latest run: writes of earlier ones are refused.
  fence integer not null default 0,
  -- When it is exported next; null: it is off.
  due_at timestamptz(3),
  -- When the export was due that has not succeeded yet.
  waiting_since timestamptz(3),
  last_run_at timestamptz(3),
  failing_since timestamptz(3),
  failures integer not null default 0,
  notified_at timestamptz(3),
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
) with (fillfactor = 70);
create index warehouses_due on warehouses (due_at) where due_at is not null;
create index warehouses_waiting on warehouses (waiting_since) where waiting_since is not null;

-- The state of each dataset in a bucket: its manifest is that of `published`.
create table warehouse_datasets (
  account_id uuid not null,
  warehouse_id uuid not null,
  dataset text not null,
  sequence integer not null default 0,
  published integer not null default 0,
  published_at timestamptz(3),
  primary key (account_id, warehouse_id, dataset)
);

-- Files in the bucket.
create table warehouse_files (
  account_id uuid not null,
  warehouse_id uuid not null,
  id uuid not null,
  dataset text not null,
  day date not null,
  rows bigint not null,
  bytes bigint not null,
  sha256 text not null,
  -- Of the rows; null: to be written again.
  digest bigint,
  state text not null check (state in ('writing', 'current', 'replaced')),
  written_at timestamptz(3) not null,
  -- Since when no manifest names it.
  retired_at timestamptz(3),
  primary key (account_id, warehouse_id, id)
);
create unique index warehouse_files_current on warehouse_files (account_id, warehouse_id, dataset, day) where state = 'current';
create index warehouse_files_left on warehouse_files (account_id, warehouse_id, dataset) where state <> 'current';
