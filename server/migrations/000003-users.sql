-- Dashboard users. They belong to no account: `members` lists their accounts. On a cluster, `users`, `user_sessions`,
-- `user_links` and `invitations`, which are looked up by the hash of a secret, are reference tables.
create table users (
  id uuid primary key,
  -- Lower case.
  email text not null unique,
  name text not null,
  -- scrypt in the format of better-auth: salt and key in hexadecimal.
  password text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of the token in the cookie.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- IP address of the last request.
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

-- One-time links that belong to no account: `first_run` creates the first user, `reset` sets a user's password.
create table user_links (
  hash bytea primary key,
  type text not null check (type in ('first_run', 'reset')),
  user_id uuid references users (id),
  expires_at timestamptz(3) not null,
  check ((type = 'reset') = (user_id is not null))
);
create index user_links_by_user on user_links (user_id);

create table invitations (
  account_id uuid not null references accounts (id),
  id uuid not null,
  hash bytea not null unique,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- The only email that can accept it, in lower case; null: any.
  email text,
  -- Null: created on the command line.
  invited_by uuid references users (id),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  accepted_by uuid references users (id),
  revoked_at timestamptz(3),
  primary key (account_id, id)
);

-- Failed sign-ins, by keyed hashes of email and IP address. Deleted a day after the last failure.
create table sign_in_attempts (
  key bytea primary key,
  failures int not null,
  last_at timestamptz(3) not null,
  paused_until timestamptz(3) not null
);
create index sign_in_attempts_by_age on sign_in_attempts (last_at);
