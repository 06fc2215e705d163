-- In which transaction a row came: reports find by it what they have not counted yet, whenever it was committed and whatever
-- its id. Block ranges cost the ingest next to nothing.
alter table visits add column arrived_in bigint not null default 3;
alter table visits alter column arrived_in set default pg_current_xact_id()::text::bigint;
create index visits_by_transaction on visits using brin (arrived_in) with (pages_per_range = 16, autosummarize = on);
alter table events add column arrived_in bigint not null default 3;
alter table events alter column arrived_in set default pg_current_xact_id()::text::bigint;
create index events_by_transaction on events using brin (arrived_in) with (pages_per_range = 16, autosummarize = on);
alter table conversion_revisions add column arrived_in bigint not null default 3;
alter table conversion_revisions alter column arrived_in set default pg_current_xact_id()::text::bigint;
create index conversion_revisions_by_transaction on conversion_revisions using brin (arrived_in)
  with (pages_per_range = 16, autosummarize = on);

-- What a session consists of: for its time line, and to count it again.
create index visits_by_session on visits (account_id, session_number);
create index events_by_session on events (account_id, session_number) where session_number is not null;
create index events_of_leads_alone on events (account_id, lead_id, id) where session_number is null and lead_id is not null;
create index conversions_by_session on conversions (account_id, session_number) where session_number is not null;
create index conversions_by_time on conversions (account_id, created_on, id);
-- A beginning of an e-mail is found whatever the database's collation.
create index leads_by_email_prefix on leads (account_id, email text_pattern_ops);

-- Up to where what has arrived is noted: all that this snapshot sees.
create table analytics_progress (
  only_row boolean primary key default true check (only_row),
  snapshot pg_snapshot not null,
  noted_at timestamptz(3) not null
);
insert into analytics_progress (snapshot, noted_at) values ('3:3:', now());

-- A number for each text by which reports tell things apart: sources, pages, names of events, ….
create sequence analytics_name_seq;
create table analytics_names (
  account_id uuid not null,
  id integer not null default nextval('analytics_name_seq'),
  name text collate "C" not null,
  primary key (account_id, id),
  unique (account_id, name)
);

-- 1,024 sessions with all they did, packed (see segment.ts).
create sequence analytics_version_seq;
create table analytics_segments (
  account_id uuid not null,
  -- The number of its sessions divided by 1,024.
  segment bigint not null,
  -- Another for every change: who remembers a segment knows by it whether it is the current one.
  version bigint not null,
  -- When its sessions began and were visited.
  first_at timestamptz(3),
  last_at timestamptz(3),
  first_event_at timestamptz(3),
  last_event_at timestamptz(3),
  sessions bytea not null,
  visits bytea not null,
  events bytea not null,
  -- Whether something was deleted from it: then all of it is packed anew.
  is_stale boolean not null default false,
  primary key (account_id, segment)
);
-- As it is: it is read whole, and numbers hardly compress.
alter table analytics_segments alter sessions set storage external, alter visits set storage external,
  alter events set storage external;

-- Sessions that changed since they were packed: reports read them from their visits and events.
create table analytics_changed_sessions (
  account_id uuid not null,
  session_number bigint not null,
  -- From when on it has to be packed soon; null: at leisure.
  due_at timestamptz(3),
  primary key (account_id, session_number)
);

-- Events without a session, by quarters of an hour.
create table analytics_loose_events (
  account_id uuid not null,
  at timestamptz(3) not null,
  event text collate "C" not null,
  -- Empty: none.
  funnel text collate "C" not null,
  is_bot boolean not null,
  is_internal boolean not null,
  events bigint not null,
  primary key (account_id, at, event, funnel, is_bot, is_internal)
);

-- Conversions and leads with what reports tell them apart by: that of their session.
create table analytics_conversions (
  account_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  value numeric,
  currency text,
  session_number bigint,
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  "landingPage" text,
  country text,
  device text,
  platform text[] not null,
  page text[] not null,
  event text[] not null,
  funnel text[] not null,
  primary key (account_id, id)
);
-- With all that a report without filters asks for.
create index analytics_conversions_by_time on analytics_conversions (account_id, at)
  include (is_bot, is_internal, currency, value);
create index analytics_conversions_by_session on analytics_conversions (account_id, session_number);

create table analytics_leads (like analytics_conversions);
alter table analytics_leads drop column value, drop column currency, add primary key (account_id, id);
create index analytics_leads_by_time on analytics_leads (account_id, at) include (is_bot, is_internal);
create index analytics_leads_by_session on analytics_leads (account_id, session_number);

-- Accounts of which something was deleted (what happened before `before`, or only leads): counted again with the next pass.
create table analytics_deletions (
  account_id uuid primary key,
  before timestamptz(3)
);
