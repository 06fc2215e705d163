create table assets (
  account_id uuid not null,
  id uuid not null,
  -- With the account, the unguessable part of the file's address: random, so that knowing the id does not give the file.
  url_key uuid not null,
  type text not null check (type in ('image', 'video')),
  media_type text not null,
  name text not null,
  bytes bigint not null,
  sha256 bytea not null,
  -- As shown, rotation applied.
  width integer not null,
  height integer not null,
  -- Of a film.
  duration_seconds double precision,
  -- Where the storage driver keeps the bytes.
  storage_key text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, url_key)
);
