-- Endpoints that are asked before entries are published, and may refuse.
create table publish_hooks (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  -- Public IDs; null: all collections.
  collection_ids text[],
  -- What happens if the endpoint does not answer: 'refuse' or 'publish'.
  on_error text not null,
  is_enabled boolean not null,
  -- Encrypted.
  secret bytea not null,
  last_outcome text,
  last_error text,
  last_asked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
