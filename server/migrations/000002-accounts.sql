create table accounts (
  id uuid primary key,
  name text not null,
  -- The time zone of reports and days, by its IANA name; null until it is chosen: UTC.
  time_zone text,
  -- ISO 4217: reports convert revenue into it; null: they do not.
  currency text,
  -- The value of one unit of other currencies in `currency`: {"USD": "0.92"}.
  exchange_rates jsonb not null default '{}',
  created_at timestamptz(3) not null
);

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
