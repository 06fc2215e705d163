-- Numbers of sessions: the one id that is a number.
create sequence session_number_seq;

create table sessions (
  account_id uuid not null,
  number bigint not null default nextval('session_number_seq'),
  hash text collate "C" not null,
  short_hash text collate "C" not null,
  visitor_id text not null,
  started_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  landing_url text not null,
  referrer text,
  source text,
  medium text,
  campaign text,
  term text,
  content text,
  utm_id text,
  -- {"gclid": "…"}: as they stood in the landing URL.
  click_ids jsonb not null default '{}',
  device text,
  browser text,
  os text,
  country text,
  is_bot boolean not null default false,
  -- From an address that the account excludes (`excludedAddresses`).
  is_internal boolean not null default false,
  lead_id uuid,
  primary key (account_id, number),
  unique (account_id, hash)
) with (fillfactor = 85);
create index sessions_by_short_hash on sessions (account_id, short_hash);
create index sessions_by_start on sessions (account_id, started_at);
create index sessions_by_visitor on sessions (account_id, visitor_id, started_at desc);
create index sessions_by_lead on sessions (account_id, lead_id, started_at, number) where lead_id is not null;

-- Finds sessions by click id. `digest` is the first 16 bytes of the SHA-256 of the kind and the value: short and of one
-- length, whatever a platform sends.
create table click_ids (
  account_id uuid not null,
  digest uuid not null,
  session_number bigint not null,
  started_at timestamptz(3) not null,
  primary key (account_id, digest, started_at, session_number)
);

create table visits (
  account_id uuid not null,
  id uuid not null,
  -- `visitId`: the page's own, which makes a retry harmless.
  client_visit_id text collate "C",
  session_number bigint not null,
  url text not null,
  referrer text,
  title text,
  visitor_id text not null,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index visits_by_client_id on visits (account_id, client_visit_id) where client_visit_id is not null;
-- Those that arrived late: the order of their ids is not that of their age.
create index visits_late on visits (account_id, occurred_at) where received_at - occurred_at > interval '1 day';

create table leads (
  account_id uuid not null,
  id uuid not null,
  -- Trimmed and in lower case.
  email text not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, email)
) with (fillfactor = 85);

-- A lead with the first and the latest of the sessions that are tied to it.
create view leads_with_sessions as
select leads.*,
  (select number from sessions where sessions.account_id = leads.account_id and sessions.lead_id = leads.id
   order by started_at, number limit 1) as first_session,
  (select number from sessions where sessions.account_id = leads.account_id and sessions.lead_id = leads.id
   order by started_at desc, number desc limit 1) as latest_session
from leads;

create table events (
  account_id uuid not null,
  id uuid not null,
  -- `properties.event_id`: the caller's own, which makes a retry harmless.
  client_event_id text collate "C",
  event text not null,
  properties jsonb not null,
  session_number bigint,
  lead_id uuid,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index events_by_client_id on events (account_id, client_event_id) where client_event_id is not null;
create index events_late on events (account_id, occurred_at) where received_at - occurred_at > interval '1 day';
