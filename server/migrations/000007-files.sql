create table assets (
  account_id uuid not null,
  id uuid not null,
  -- With the account, the secret part of the file's URL: random, so that knowing the id does not give access to the file.
  url_key uuid not null,
  type text not null check (type in ('image', 'video')),
  media_type text not null,
  name text not null,
  bytes bigint not null,
  sha256 bytea not null,
  -- As displayed, rotation applied.
  width integer not null,
  height integer not null,
  -- Of a video.
  duration_seconds double precision,
  -- The blob in the storage.
  storage_key text not null,
  created_at timestamptz(3) not null,
  alt text,
  -- The point that a crop keeps in view, as fractions of width and height.
  focal_x double precision check (focal_x between 0 and 1),
  focal_y double precision check (focal_y between 0 and 1),
  -- Of a video.
  codec text,
  animated boolean not null default false,
  -- A blurred preview in about 25 bytes.
  thumbhash bytea,
  -- The blob of a video's poster image.
  poster_key text,
  poster_width integer,
  poster_height integer,
  -- Of a video without its poster yet: when to make it; while a process does, when another may take over.
  poster_due timestamptz(3),
  -- Since when no entry uses it; null while one does.
  unused_since timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, url_key)
);
create index assets_by_type on assets (account_id, type, id);
create index assets_by_name on assets using gin (account_id, lower(name) gin_trgm_ops);
create index assets_unused on assets (account_id, unused_since, id) where unused_since is not null;
-- Identical content is stored once: assets of one account may share a storage_key.
create index assets_by_content on assets (account_id, sha256);

create index assets_by_poster_due on assets (account_id, poster_due) where poster_due is not null;

-- Which entries reference which assets, maintained by content. The use by a deleted entry, which can be restored, is inactive.
create table asset_uses (
  account_id uuid not null,
  asset_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  active boolean not null,
  primary key (account_id, asset_id, entry_id)
);
create index asset_uses_by_entry on asset_uses (account_id, entry_id);

-- Blobs that are, or may be, in the storage and belong to no asset. A row is inserted before the first byte is written; the
-- transaction that inserts the asset deletes it, and the one that deletes the asset inserts it again. A worker deletes
-- blobs that are due.
create table orphaned_blobs (
  account_id uuid not null,
  storage_key text not null,
  delete_after timestamptz(3) not null,
  primary key (account_id, storage_key)
);
create index orphaned_blobs_by_time on orphaned_blobs (delete_after);

-- Images in other sizes and formats, cached while there is room. A row is inserted before its blob is written: until
-- `lease_until` one process makes it, then another may.
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

-- URL keys that an asset had before its content was replaced: they redirect to the current one.
create table asset_urls (
  account_id uuid not null,
  url_key uuid not null,
  asset_id uuid not null,
  primary key (account_id, url_key)
);
create index asset_urls_by_asset on asset_urls (account_id, asset_id);
