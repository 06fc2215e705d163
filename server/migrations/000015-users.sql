-- The only part of the account that a member sees; null: all of it. Owners see everything.
alter table members add column area text
  check (area is null or (area in ('content', 'analytics') and role <> 'owner'));
alter table invitations add column area text
  check (area is null or (area in ('content', 'analytics') and role <> 'owner'));
