-- Members and invitations with a role that the account defines: their `role` is 'custom'.
alter table members
  drop constraint members_role_check,
  add constraint members_role_check check (role in ('owner', 'editor', 'viewer', 'custom')),
  add column role_id uuid,
  add constraint members_role_id_check check ((role_id is not null) = (role = 'custom')),
  add foreign key (account_id, role_id) references roles (account_id, id);
create index members_by_role on members (account_id, role_id) where role_id is not null;
alter table invitations
  drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('owner', 'editor', 'viewer', 'custom')),
  add column role_id uuid,
  add constraint invitations_role_id_check check ((role_id is not null) = (role = 'custom')),
  add foreign key (account_id, role_id) references roles (account_id, id);
create index invitations_by_role on invitations (account_id, role_id) where role_id is not null;
