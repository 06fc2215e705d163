-- People who use the dashboard. They belong to no account: `members` says in which they are. On a cluster `users`,
-- `user_sessions`, `user_links` and `invitations`, which are found by the hash of a secret, are reference tables.
create table users (
  id uuid primary key,
  -- Lower case.
  email text not null unique,
  name text not null,
  -- scrypt, as better-auth writes it: salt and key in hex.
  password text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of what the cookie holds.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null
);
create index user_sessions_by_user on user_sessions (user_id, id);
create index user_sessions_by_end on user_sessions (expires_at);

create table members (
  account_id uuid not null references accounts (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  joined_at timestamptz(3) not null,
  primary key (account_id, user_id)
);
create index members_by_user on members (user_id);

-- Links of one use that belong to no account: `first_run` makes the first user, `reset` sets a user's password.
create table user_links (
  hash bytea primary key,
  kind text not null check (kind in ('first_run', 'reset')),
  user_id uuid references users (id),
  expires_at timestamptz(3) not null,
  check ((kind = 'reset') = (user_id is not null))
);
create index user_links_by_user on user_links (user_id);

create table invitations (
  account_id uuid not null references accounts (id),
  id uuid not null,
  hash bytea not null unique,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- Whom it is for, where that was said; lower case.
  email text,
  -- null: a command made it.
  invited_by uuid references users (id),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  accepted_by uuid references users (id),
  revoked_at timestamptz(3),
  primary key (account_id, id)
);

-- Failed sign-ins, by a keyed hash of who tried whom. A row is forgotten a day after its last.
create table sign_in_attempts (
  key bytea primary key,
  failures int not null,
  last_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null
);
create index sign_in_attempts_by_age on sign_in_attempts (last_at);

-- Who changed what.
create table audit_log (
  account_id uuid not null,
  -- Made at the time of the change.
  id uuid not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'command')),
  actor_id uuid,
  action text not null,
  subject_type text not null,
  -- As the API shows it.
  subject_id text not null,
  address text,
  before jsonb,
  after jsonb,
  primary key (account_id, id)
);
create index audit_log_by_age on audit_log (id);
create index audit_log_by_actor on audit_log (account_id, actor_id, id);
create index audit_log_by_subject on audit_log (account_id, subject_id, id);
create index audit_log_by_action on audit_log (account_id, action, id);

-- What was written stays as it is, until it is older than the log is kept.
create function audit_log_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('headwater.forget_audit', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit log is only added to';
end $$;
create trigger audit_log_is_kept before update or delete on audit_log
  for each row execute function audit_log_is_kept();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function audit_log_is_kept();
