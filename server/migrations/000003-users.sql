-- Dashboard users. They belong to no account: `members` lists their accounts. On a cluster, the tables `user…` and
-- `invitations`, which are looked up by the hash of a secret, are reference tables.
create table users (
  id uuid primary key,
  -- Lower case.
  email text not null unique,
  name text not null,
  -- scrypt in the format of better-auth: salt and key in hexadecimal.
  password text not null,
  -- Operates the service: sees its backups, whatever the accounts.
  is_operator boolean not null default false,
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

-- The second factor of a user: codes of an authenticator app (TOTP).
create table user_authenticators (
  user_id uuid primary key references users (id),
  -- Sealed.
  secret bytea not null,
  -- Null until a first code was checked; until then sign-ins do not ask for one.
  confirmed_at timestamptz(3),
  -- The time step of the last code: a code works once.
  last_step bigint not null
);

create table user_recovery_codes (
  user_id uuid not null references users (id),
  -- Keyed hash of the code. Deleted when the code is used.
  hash bytea not null,
  primary key (user_id, hash)
);

create table user_passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Of signatures, as the authenticator counts them; 0 if it does not.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index user_passkeys_by_user on user_passkeys (user_id, id);

-- What can be used once and belongs to no account. Links: `first_run` creates the first user, `reset` sets a user's
-- password, `email` changes a user's email. Challenges that a passkey signs: `passkey` creates one, `passkey_sign_in` uses one.
create table user_links (
  hash bytea primary key,
  type text not null check (type in ('first_run', 'reset', 'email', 'passkey', 'passkey_sign_in')),
  user_id uuid references users (id),
  -- The new email of the type `email`, in lower case.
  email text,
  expires_at timestamptz(3) not null,
  check ((type in ('reset', 'email', 'passkey')) = (user_id is not null)),
  check ((type = 'email') = (email is not null))
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
