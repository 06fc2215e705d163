-- Entries that are published and unpublished together, at a time or when somebody asks for it. A scheduled change of one entry is
-- a release without a name.
create table releases (
  account_id uuid not null,
  id uuid not null,
  name text,
  status text not null check (status in ('open', 'scheduled', 'completed', 'failed', 'canceled')),
  -- The time that was asked for.
  at timestamptz(3),
  -- When a worker carries it out: later than `at` after an attempt that an error of the service ended.
  due_at timestamptz(3),
  attempts integer not null default 0,
  -- Why it failed: the faults as the API returns them.
  faults json,
  version integer not null default 1,
  author_type text check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (account_id, id)
);
create index releases_due on releases (due_at) where status = 'scheduled';
create index releases_by_time on releases (account_id, at, id);
create index releases_pending on releases (account_id, id) where status in ('open', 'scheduled', 'failed');

create table release_items (
  account_id uuid not null,
  release_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  position integer not null,
  action text not null check (action in ('publish', 'unpublish')),
  -- The version to publish, with its values, since versions are not kept forever. null: the latest.
  version integer,
  "values" json,
  -- The locales to publish or unpublish; null: all.
  locales jsonb,
  primary key (account_id, release_id, entry_id)
);
create index release_items_by_entry on release_items (account_id, entry_id);
create unique index release_items_by_position on release_items (account_id, release_id, position);
create index release_items_by_collection on release_items (account_id, collection_id, release_id);

-- Where an entry is in the review of its collection, and who takes care of it.
create table entry_reviews (
  account_id uuid not null,
  entry_id uuid not null,
  state text not null check (state in ('draft', 'in_review', 'approved')),
  -- The version that the state was set for.
  version integer not null,
  -- Versions that may be published.
  approved_versions integer[] not null,
  assignee_id uuid,
  author_type text not null check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  updated_at timestamptz(3) not null,
  primary key (account_id, entry_id)
);

create table entry_comments (
  account_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  text text not null,
  author_type text not null check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  primary key (account_id, id)
);
create index entry_comments_by_entry on entry_comments (account_id, entry_id, id);

-- Who has the entry open in the dashboard.
create table entry_presence (
  account_id uuid not null,
  entry_id uuid not null,
  user_id uuid not null,
  seen_at timestamptz(3) not null,
  primary key (account_id, entry_id, user_id)
);

-- The locales in which an account writes its content: the default one, and for each other one its fallback.
create table account_locales (
  account_id uuid primary key,
  settings jsonb not null
);
