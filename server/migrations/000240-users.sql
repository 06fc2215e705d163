-- Single sign-on by the OpenID Connect provider of an account.
create table sso_connections (
  account_id uuid primary key references accounts (id),
  issuer text not null check (length(issuer) <= 500),
  client_id text not null check (length(client_id) <= 500),
  -- Encrypted with the data key of the account.
  client_secret bytea not null,
  -- Of its button on the sign-in page.
  name text not null check (length(name) <= 100),
  scopes text[] not null,
  role_claim text not null,
  -- [{"value", "roleId"}], the first that fits counts.
  role_mappings jsonb not null,
  default_role_id text,
  -- Members whose email is of a proven domain sign in to the account in no other way.
  is_required boolean not null,
  -- Counts changes: what was derived from another version is outdated.
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Domains of emails. Nobody signs in by one before the account has proved to control it.
create table sso_domains (
  account_id uuid not null references sso_connections (account_id) on delete cascade,
  domain text not null check (domain = lower(domain) and length(domain) <= 253),
  proven_at timestamptz(3),
  primary key (account_id, domain)
);
create index sso_domains_by_domain on sso_domains (domain) where proven_at is not null;

-- Who somebody is at the provider. It ends with the membership.
create table sso_identities (
  account_id uuid not null references sso_connections (account_id) on delete cascade,
  user_id uuid not null,
  issuer text not null,
  subject text not null check (length(subject) <= 255),
  created_at timestamptz(3) not null,
  primary key (account_id, user_id),
  unique (account_id, issuer, subject),
  foreign key (account_id, user_id) references members (account_id, user_id) on delete cascade
);

-- A session that an account's provider has vouched for: it opens nothing but that account.
alter table user_sessions
  add column account_id uuid references accounts (id),
  -- It views no account as a role: two limits of one session would be too hard to reason about.
  add constraint user_sessions_limit_check check (account_id is null or view_account_id is null);
create index user_sessions_by_account on user_sessions (account_id) where account_id is not null;
