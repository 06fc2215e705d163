-- What was published of entries before something else or nothing was, for 30 days: public content is also read as it was.
create table former_publications (
  account_id uuid not null,
  entry_id uuid not null,
  collection_id uuid not null,
  "values" json not null,
  version integer not null,
  locales jsonb,
  published_at timestamptz(3) not null,
  -- From then on it was public no more.
  until timestamptz(3) not null,
  primary key (account_id, entry_id, until)
);
create index former_publications_by_collection on former_publications (account_id, collection_id, until);
create index former_publications_by_time on former_publications (until);
