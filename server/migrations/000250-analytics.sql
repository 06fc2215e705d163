-- The own channels of an account, in order. Reports apply them to sessions of any time when they are read.
create table channel_rules (
  account_id uuid primary key,
  -- Members of the API.
  rules jsonb not null,
  version integer not null,
  updated_at timestamptz(3) not null
);
