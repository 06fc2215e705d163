-- Numbers of sessions, which are never shown: see docs/decisions/0019-session-ids.md.
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
  -- {"gclid": "…"}, exactly as in the landing URL.
  click_ids jsonb not null default '{}',
  device text,
  browser text,
  os text,
  country text,
  -- `Bavaria, DE`
  region text,
  is_bot boolean not null default false,
  -- From an IP address that the account excludes (`excludedAddresses`).
  is_internal boolean not null default false,
  lead_id uuid,
  primary key (account_id, number),
  unique (account_id, hash)
) with (fillfactor = 85);
create index sessions_by_short_hash on sessions (account_id, short_hash);
create index sessions_by_start on sessions (account_id, started_at);
create index sessions_by_visitor on sessions (account_id, visitor_id, started_at desc);

-- Until a table is first analyzed, the planner assumes that hardly any row has a given account, and so that each of these
-- indexes finds a session by its hash or number equally well. Statistics of temporary rows, which outlive the rows, correct
-- that until there are real ones.
insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url)
select '00000000-0000-0000-0000-000000000000', n, 'hash ' || n, 'short ' || n, 'visitor ' || n, at, at, 'https://shop.example/'
from generate_series(1, 500) n, lateral (select to_timestamp(n)) as t (at);
analyze sessions;
truncate sessions;

-- Finds sessions by click id. `digest` is the first 16 bytes of the SHA-256 of the name and the value: short and of the same
-- length, whatever a platform sends.
create table click_ids (
  account_id uuid not null,
  digest uuid not null,
  session_number bigint not null,
  -- The session's start, or for a publishable key its arrival, so that a page cannot claim a click id by backdating.
  seen_at timestamptz(3) not null,
  primary key (account_id, digest, seen_at, session_number)
);

create table visits (
  account_id uuid not null,
  id uuid not null,
  -- The client's `visitId`, which makes a retry harmless; separate for publishable keys and secret tokens.
  client_visit_id text collate "C",
  is_trusted boolean not null default false,
  session_number bigint not null,
  url text not null,
  referrer text,
  title text,
  visitor_id text not null,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  -- The inserting transaction: the aggregation finds new rows by it, whenever they were committed.
  inserted_xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, id)
);
create unique index visits_by_client_id on visits (account_id, client_visit_id, is_trusted) where client_visit_id is not null;
-- Late arrivals: the order of their ids is not that of their age.
create index visits_late on visits (account_id, occurred_at) where received_at - occurred_at > interval '1 day';

create table leads (
  account_id uuid not null,
  id uuid not null,
  -- Trimmed, in lower case.
  email text not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- From the properties of its events.
  name text,
  -- Written by members of the account.
  notes text,
  -- Number of changes: the `sequence` of webhook payloads.
  version integer not null default 1,
  primary key (account_id, id),
  unique (account_id, email)
) with (fillfactor = 85);

-- Finds the sessions of a lead. A separate table, because with an index on sessions.lead_id each change of it would add an
-- entry to every index of sessions. It may have sessions that belong to another lead by now: sessions.lead_id decides.
create table lead_sessions (
  account_id uuid not null,
  lead_id uuid not null,
  started_at timestamptz(3) not null,
  session_number bigint not null,
  primary key (account_id, lead_id, started_at, session_number)
);

-- Leads with the numbers of their first and latest session.
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
  -- The client's `id`, which makes a retry harmless; separate for publishable keys and secret tokens.
  client_event_id text collate "C",
  is_trusted boolean not null default false,
  event text not null,
  properties jsonb not null,
  session_number bigint,
  lead_id uuid,
  is_bot boolean not null,
  is_internal boolean not null default false,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  -- The inserting transaction: the aggregation finds new rows by it, whenever they were committed.
  inserted_xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, id)
);
create unique index events_by_client_id on events (account_id, client_event_id, is_trusted) where client_event_id is not null;
create index events_late on events (account_id, occurred_at) where received_at - occurred_at > interval '1 day';

-- Block range indexes cost the ingest next to nothing.
create index visits_by_transaction on visits using brin (inserted_xid) with (pages_per_range = 16, autosummarize = on);
create index events_by_transaction on events using brin (inserted_xid) with (pages_per_range = 16, autosummarize = on);

-- The visits and events of a session, for timelines and for counting it again.
create index visits_by_session on visits (account_id, session_number);
create index events_by_session on events (account_id, session_number) where session_number is not null;
create index events_of_leads_alone on events (account_id, lead_id, id) where session_number is null and lead_id is not null;
-- Finds the start of an email, whatever the database's collation.
create index leads_by_email_prefix on leads (account_id, email text_pattern_ops);
-- Finds any part of an email or a name. Both rarely change, so updates of a lead need no entry.
create index leads_by_part on leads using gin (account_id, (email || ' ' || lower(coalesce(name, ''))) gin_trgm_ops);

-- Lets filtered lists of sessions skip pages: one entry for each 32 pages. A B-tree for each filter would cost the ingest an
-- entry for each session.
create index sessions_by_origin on sessions using brin (source text_bloom_ops, medium text_bloom_ops,
  campaign text_bloom_ops, country text_bloom_ops, device text_bloom_ops) with (pages_per_range = 32, autosummarize = on);

-- What conversions sent to ad platforms need to know of a session: what the visitor consented to, and where an account's
-- destinations use them, IP address and user agent. They are encrypted and stored for a limited time.
create table session_signals (
  account_id uuid not null,
  session_number bigint not null,
  ad_storage text check (ad_storage in ('granted', 'denied')),
  ad_user_data text check (ad_user_data in ('granted', 'denied')),
  ad_personalization text check (ad_personalization in ('granted', 'denied')),
  client bytea,
  client_at timestamptz(3),
  primary key (account_id, session_number)
) with (fillfactor = 85);
create index session_signals_with_client on session_signals (client_at) where client is not null;

-- An account's tracking settings; without a row the defaults apply.
create table tracking_settings (
  account_id uuid primary key,
  -- Origins as browsers send them, or with `*.` before the host. If empty, every origin is allowed.
  allowed_origins text[] not null default '{}',
  -- IP addresses and CIDR ranges whose visits and events are internal traffic.
  excluded_addresses text[] not null default '{}',
  retention_days integer check (retention_days > 0),
  -- Whether IP addresses and user agents are stored for destinations.
  records_clients boolean not null default false,
  updated_at timestamptz(3) not null
);
