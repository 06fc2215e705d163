alter table assets
  add column title text,
  add column caption text,
  -- Texts in other locales than the default one: {"de": {"alt": "…"}}.
  add column translations jsonb not null default '{}',
  add column folder_id uuid,
  -- Its URL is signed and expires.
  add column is_private boolean not null default false,
  -- Only images and videos have a size.
  alter column width drop not null,
  alter column height drop not null,
  drop constraint assets_type_check,
  add constraint assets_type_check check (type in ('image', 'video', 'file'));
create index assets_by_folder on assets (account_id, folder_id, id) where folder_id is not null;

create table file_folders (
  account_id uuid not null,
  id uuid not null,
  -- Null: at the top.
  parent_id uuid,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index file_folders_by_name
  on file_folders (account_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), lower(name));
