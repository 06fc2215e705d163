-- What running experiments show of entries: files in it are in use.
create table varied_entries (
  account_id uuid not null,
  entry_id uuid not null,
  experiment_id uuid not null,
  collection_id uuid not null,
  -- The values of all variants.
  values jsonb not null,
  primary key (account_id, entry_id, experiment_id)
);
create index varied_entries_by_experiment on varied_entries (account_id, experiment_id);
