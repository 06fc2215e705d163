-- What was published of a deleted entry, so that restoring it also restores its publication.
create table deleted_publications (
  account_id uuid not null,
  entry_id uuid not null,
  "values" json not null,
  version integer not null,
  -- The published version of each locale, if fields are localized.
  locales jsonb,
  primary key (account_id, entry_id)
);
