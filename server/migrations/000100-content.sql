alter table collections
  -- A name that stands for the ID in paths; null: none.
  add column key text,
  -- What the collection has beyond most others, as in `CollectionSettings`; null: nothing.
  add column settings jsonb;
create unique index collections_by_key on collections (account_id, key) where status = 'active' and key is not null;
