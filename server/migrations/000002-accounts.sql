-- Databases that hold accounts' data. `main` is the one with these tables.
create table cells (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,62}$'),
  -- The URL of the database, encrypted with a key derived from the instance's secret; null: main.
  url bytea,
  -- Whether new accounts are created there.
  is_open boolean not null default true,
  created_at timestamptz(3) not null,
  check ((name = 'main') = (url is null))
);
insert into cells (name, created_at) values ('main', now());

create table accounts (
  id uuid primary key,
  name text not null,
  -- The time zone of reports and days, by its IANA name; null until it is chosen: UTC.
  time_zone text,
  -- ISO 4217: reports convert revenue into it; null: they do not.
  currency text,
  -- The value of one unit of other currencies in `currency`: {"USD": "0.92"}.
  exchange_rates jsonb not null default '{}',
  -- Where everything else of the account is.
  cell text not null references cells (name),
  created_at timestamptz(3) not null
);
create index accounts_by_cell on accounts (cell);

-- Found by the hash of a key before its account is known: on a cluster this is a reference table.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  type text not null check (type in ('secret', 'publishable', 'postback')),
  name text not null,
  hash bytea not null unique,
  -- The last four characters, by which a person tells keys apart.
  hint text not null,
  -- A publishable key itself, which is not secret; null for other types.
  publishable_key text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  check ((type = 'publishable') = (publishable_key is not null))
);
create index api_keys_by_account on api_keys (account_id, id);
