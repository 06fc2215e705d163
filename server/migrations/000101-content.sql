-- Fields that groups and blocks of several collections share. Collections have copies of the fields, with numbers in the index.
create table components (
  account_id uuid not null,
  id uuid not null,
  key text,
  name text not null,
  fields jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index components_by_key on components (account_id, key) where key is not null;
