-- A field has a number of its own: short in the index, never used again, unlike its id, which is unique in its list alone.
create sequence field_key_seq;

create table collections (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  -- The list of fields, deleted ones included, each with its `key`.
  fields jsonb not null,
  display_field_id text,
  default_sort jsonb,
  status text not null check (status in ('active', 'deleted')),
  -- Counts changes: a process knows by it whether the collection it remembers is the current one.
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- True: entries are drafts until they are published.
  publishing boolean not null default false,
  -- True: everyone with a publishable key reads what is published.
  public boolean not null default false,
  -- Where the site shows a draft, with placeholders.
  preview_url text,
  -- The role of who must approve a version before it is published.
  review text check (review in ('editor', 'owner')),
  -- The locales of the account, as in `account_locales`, if a field is or was localized: a collection is read without a join.
  locales jsonb,
  -- True: deleted permanently; a worker removes its contents piece by piece.
  purging boolean not null default false,
  primary key (account_id, id)
);
create index collections_by_creation on collections (account_id, created_at, id) where status = 'active';

create table entries (
  account_id uuid not null,
  id uuid not null,
  collection_id uuid not null,
  -- By field id, as they are answered. Not jsonb: the text is kept as it was written, and goes out without being built again.
  "values" json not null,
  -- By field key: the sort keys under which `entry_index` has this entry. A filter is checked against them, and they tell
  -- which rows of the index to take out again.
  sort_keys jsonb not null,
  -- Roughly what the values of some fields are, a few bits for each: see listing/filter-bitmap.ts.
  filter_bitmap bigint,
  status text not null check (status in ('active', 'deleted')),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Of an entry's current version: what kind of change made it (null: its creation), of which fields, after which version it was
  -- made anew, and who made it (null: nobody who is known).
  change text check (change in ('changed', 'deleted', 'restored')),
  changed_fields text[],
  restored_from integer,
  author_type text check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  -- Which version `published_entries` has, and since when; null: the entry is not published.
  published_version integer,
  published_at timestamptz(3),
  -- Of an entry with localized fields: the published version of each published locale.
  published_locales jsonb,
  -- How often it was published and unpublished: with the version, the number of its changes that webhooks report.
  publications integer not null default 0,
  primary key (account_id, id)
  -- Rows up to a page stay in one piece: a list reads 50 of them, and a page out of line costs each a look-up more.
) with (toast_tuple_target = 8160);
create index entries_by_creation on entries (account_id, collection_id, created_at, id) where status = 'active';
create index entries_by_update on entries (account_id, collection_id, updated_at, id) where status = 'active';

-- One index for the fields of all collections: for every active entry and field a row for each value, or one with U+10FFFF,
-- behind all others, where it has none.
create table entry_index (
  account_id uuid not null,
  field_key bigint not null,
  -- Text that sorts as the values do, whatever their type.
  sort_key text collate "C" not null,
  entry_id uuid not null,
  -- The entry's, so that who reads the order of one field passes over most of what a filter on another does not let
  -- through, without looking it up. null: unknown.
  filter_bitmap bigint,
  primary key (account_id, field_key, sort_key, entry_id) include (filter_bitmap)
);

-- The folded text of an active entry, field by field, for `contains` and `q`.
create table entry_texts (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  text text not null,
  primary key (account_id, entry_id)
);
-- New texts are collected and brought into the index some hundred at a time: at once each would take milliseconds.
create index entry_texts_by_trigram on entry_texts using gin (collection_id, text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 1024);

-- The values of fields that are unique, each held by one entry. A row for every row of `entry_index` that has a value.
create table entry_keys (
  account_id uuid not null,
  field_key bigint not null,
  sort_key text collate "C" not null,
  entry_id uuid not null,
  primary key (account_id, field_key, sort_key)
);

-- Slugs that entries no longer have, for redirects. Another entry may take one as its own, which then applies.
create table old_slugs (
  account_id uuid not null,
  field_key bigint not null,
  slug text collate "C" not null,
  entry_id uuid not null,
  primary key (account_id, field_key, slug)
);
create index old_slugs_by_entry on old_slugs (account_id, entry_id);

-- The fields that reference entries of a collection: where the usages of an entry are in `entry_index`.
create table reference_fields (
  account_id uuid not null,
  -- The collection of the referenced entries.
  target_id uuid not null,
  -- Of the field, or of the field among published entries.
  field_key bigint not null,
  -- The collection that has the field.
  collection_id uuid not null,
  -- Whether an entry cannot be deleted while this field references it.
  refuses_delete boolean not null,
  primary key (account_id, target_id, field_key)
);
create index reference_fields_by_collection on reference_fields (account_id, collection_id);

-- Fields that came to a collection with many entries, whose rows for entries without a value are still being written.
create table field_backfills (
  account_id uuid not null,
  collection_id uuid not null,
  field_key bigint not null,
  -- The last entry that has its row.
  entry_id uuid not null,
  -- Whether it is the key of a field among published entries.
  published boolean not null default false,
  primary key (account_id, field_key)
);

-- What was replaced, written by the statement that replaces it. The current version is the entry's own row.
create table entry_versions (
  account_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  "values" json not null,
  status text not null,
  change text,
  changed_fields text[],
  restored_from integer,
  author_type text,
  author_id uuid,
  created_at timestamptz(3) not null,
  primary key (account_id, entry_id, version)
);

-- The trash of a collection, by when they were deleted, and of all of them.
create index entries_deleted on entries (account_id, collection_id, updated_at, id) where status = 'deleted';
create index entries_deleted_by_time on entries (updated_at) where status = 'deleted';

create index collections_deleted on collections (account_id, updated_at, id) where status = 'deleted';
create index collections_purging on collections (account_id, id) where purging;

-- The published version of entries, in the collections that have drafts. A table of its own, so that reading what is published
-- cannot meet a draft. Its rows in `entry_index` and `entry_keys` have the fields' second keys (`publishedKey`).
create table published_entries (
  account_id uuid not null,
  -- The entry's.
  id uuid not null,
  collection_id uuid not null,
  "values" json not null,
  sort_keys jsonb not null,
  filter_bitmap bigint,
  -- For listings, which read `entries` by it.
  status text not null default 'active' check (status = 'active'),
  version integer not null,
  -- When the entry was created, and when this version was published.
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- As `entries.published_locales`.
  locales jsonb,
  primary key (account_id, id)
) with (toast_tuple_target = 8160);
create index published_entries_by_creation on published_entries (account_id, collection_id, created_at, id)
  where status = 'active';
create index published_entries_by_update on published_entries (account_id, collection_id, updated_at, id)
  where status = 'active';

create table published_texts (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  text text not null,
  primary key (account_id, entry_id)
);
create index published_texts_by_trigram on published_texts using gin (collection_id, text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 1024);

-- Counts the transactions that publish and unpublish entries of a collection: whoever caches what is published knows by it
-- whether that is current.
create table published_changes (
  account_id uuid not null,
  collection_id uuid not null,
  changes bigint not null,
  primary key (account_id, collection_id)
);
