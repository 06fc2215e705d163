-- A session in which the user looks at an account as one of its roles sees it, and changes nothing meanwhile.
alter table user_sessions
  add column view_account_id uuid,
  add column view_role text,
  add column view_role_id uuid,
  add constraint user_sessions_view_check check (
    (view_account_id is null) = (view_role is null) and (view_role_id is not null) = (view_role is not distinct from 'custom')
  );
