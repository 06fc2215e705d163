-- Roles that an account defines, beside the built-in ones.
create table roles (
  account_id uuid not null references accounts (id),
  id uuid not null,
  key text not null,
  name text not null,
  permissions jsonb not null,
  features jsonb not null,
  -- Counts changes: what was derived from another version is outdated.
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, key)
);
alter table api_keys
  drop constraint api_keys_check1,
  add constraint api_keys_role_check check (role is null or (role in ('editor', 'viewer', 'custom') and type = 'secret')),
  -- The role of a token with the role 'custom'.
  add column role_id uuid,
  add constraint api_keys_role_id_check check ((role_id is not null) = coalesce(role = 'custom', false)),
  add foreign key (account_id, role_id) references roles (account_id, id);
create index api_keys_by_role on api_keys (account_id, role_id) where role_id is not null;
