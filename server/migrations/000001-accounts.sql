create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One row: the secret from which page tokens and download links are signed, the same for every process.
create table instance (
  only_row boolean primary key default true check (only_row),
  secret bytea not null,
  created_at timestamptz(3) not null default now()
);
insert into instance (secret) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

create table accounts (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null
);

-- Found by the hash of a key before its account is known: on a cluster this is a reference table.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('secret', 'publishable', 'postback')),
  name text not null,
  hash bytea not null unique,
  -- The last four characters, by which a person tells keys apart.
  hint text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_by_account on api_keys (account_id, id);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  -- Kept as text: jsonb would put the members of what is answered again into another order.
  response json,
  created_at timestamptz(3) not null,
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
