-- What was published and unpublished of public collections in the last 30 days, an entry in one locale at a time.
create sequence publication_changes_seq;
create table publication_changes (
  account_id uuid not null,
  id bigint not null default nextval('publication_changes_seq'),
  -- Its place in the feed: without gaps, and higher than all that were committed before. Null: a reader assigns it.
  sequence bigint,
  collection_id uuid not null,
  entry_id uuid not null,
  type text not null check (type in ('publish', 'unpublish')),
  -- Null: the collection has no localized fields.
  locale text,
  slug text,
  -- The slug of the page that the change replaces, if it was another one.
  previous_slug text,
  at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index publication_changes_by_sequence on publication_changes (account_id, sequence) where sequence is not null;
create index publication_changes_waiting on publication_changes (account_id, id) where sequence is null;
-- Of chosen collections.
create index publication_changes_by_collection on publication_changes (account_id, collection_id, sequence);
create index publication_changes_by_time on publication_changes (at);

create table publication_feeds (
  account_id uuid primary key,
  -- The last sequence that was assigned, and the last one that was deleted.
  last bigint not null default 0,
  expired bigint not null default 0
);
