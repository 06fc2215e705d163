alter table assets
  add column alt text,
  -- The point that a crop keeps in view, as parts of width and height.
  add column focal_x double precision check (focal_x between 0 and 1),
  add column focal_y double precision check (focal_y between 0 and 1),
  -- Of a film.
  add column codec text,
  add column animated boolean not null default false,
  -- A blurred picture in some 25 bytes, for the time until the real one is there.
  add column thumbhash bytea,
  -- Where the picture of a film lies.
  add column poster_key text,
  add column poster_width integer,
  add column poster_height integer,
  -- Since when no entry uses it; null while one does.
  add column unused_since timestamptz(3),
  add column updated_at timestamptz(3);
update assets set updated_at = created_at;
alter table assets alter column updated_at set not null;

create index assets_by_type on assets (account_id, type, id);
create index assets_by_name on assets using gin (account_id, lower(name) gin_trgm_ops);
create index assets_unused on assets (account_id, unused_since, id) where unused_since is not null;
-- Equal bytes are stored once: assets of one account may share a storage_key.
create index assets_by_content on assets (account_id, sha256);

-- Which entries name which assets, as content tells it. An entry that is deleted, and can be restored, is not active.
create table asset_uses (
  account_id uuid not null,
  asset_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  active boolean not null,
  primary key (account_id, asset_id, entry_id)
);
create index asset_uses_by_entry on asset_uses (account_id, entry_id);

-- What lies, or may lie, in the storage and belongs to no asset. A row is there before the first byte is; the transaction
-- that makes an asset of it takes the row out, and the one that deletes the asset puts it back. A worker clears what is due.
create table unowned_files (
  account_id uuid not null,
  storage_key text not null,
  clear_at timestamptz(3) not null,
  primary key (account_id, storage_key)
);
create index unowned_files_by_time on unowned_files (clear_at);

-- Pictures in other sizes and formats, kept as long as there is room. A row is there before its bytes are: until
-- `lease_until` one process makes them, then another may.
create table file_variants (
  account_id uuid not null,
  source_key text not null,
  spec text not null,
  storage_key text not null,
  lease_until timestamptz(3) not null,
  -- null: being made.
  bytes bigint,
  used_at timestamptz(3) not null,
  primary key (account_id, source_key, spec)
);
create index file_variants_by_use on file_variants (used_at);
