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

-- Until a table is analysed for the first time, the planner believes that hardly any row has a given account, and so that
-- any of these indexes finds a session by its hash or number alike. It is told otherwise by rows that are gone again at
-- once: statistics outlive them, until there are those of real ones.
insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url)
select '00000000-0000-0000-0000-000000000000', n, 'hash ' || n, 'short ' || n, 'visitor ' || n, at, at, 'https://shop.example/'
from generate_series(1, 500) n, lateral (select to_timestamp(n)) as t (at);
analyze sessions;
truncate sessions;

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

-- Finds the sessions of a lead: a table of its own, since an index on sessions.lead_id would make every change of that an
-- entry in all indexes of sessions. One that was tied to another lead since still stands here: sessions.lead_id decides.
create table lead_sessions (
  account_id uuid not null,
  lead_id uuid not null,
  started_at timestamptz(3) not null,
  session_number bigint not null,
  primary key (account_id, lead_id, started_at, session_number)
);

-- A lead with the first and the latest of its sessions.
create view leads_with_sessions as
select leads.*,
  (select session_number from lead_sessions t where t.account_id = leads.account_id and t.lead_id = leads.id
     and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = leads.id
   order by started_at, session_number limit 1) as first_session,
  (select session_number from lead_sessions t where t.account_id = leads.account_id and t.lead_id = leads.id
     and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = leads.id
   order by started_at desc, session_number desc limit 1) as latest_session
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
