-- Where the last aggregation run ended: reports contain everything that this snapshot sees.
create table analytics_progress (
  only_row boolean primary key default true check (only_row),
  snapshot pg_snapshot not null,
  recorded_at timestamptz(3) not null
);
insert into analytics_progress (snapshot, recorded_at) values ('3:3:', now());

-- An id for each text by which reports group: sources, pages, event names, ….
create sequence analytics_name_seq;
create table analytics_names (
  account_id uuid not null,
  id integer not null default nextval('analytics_name_seq'),
  name text collate "C" not null,
  primary key (account_id, id),
  unique (account_id, name)
);

-- Columnar segments: 1,024 sessions with their visits and events (format: src/analytics/engine/segment.ts).
create sequence analytics_version_seq;
create table analytics_segments (
  account_id uuid not null,
  -- Session number divided by 1,024.
  segment bigint not null,
  -- Changes with every write; caches compare it.
  version bigint not null,
  -- When its sessions started or were visited.
  first_at timestamptz(3),
  last_at timestamptz(3),
  first_event_at timestamptz(3),
  last_event_at timestamptz(3),
  core bytea not null,
  visitors bytea not null,
  visits bytea not null,
  pages bytea not null,
  events bytea not null,
  event_names bytea not null,
  event_funnels bytea not null,
  milliseconds bytea not null,
  source bytea not null,
  medium bytea not null,
  campaign bytea not null,
  landing_page bytea not null,
  country bytea not null,
  device bytea not null,
  channel bytea not null,
  term bytea not null,
  content bytea not null,
  referrer bytea not null,
  exit_page bytea not null,
  browser bytea not null,
  os bytea not null,
  region bytea not null,
  -- Some of its rows were deleted: the whole segment is rebuilt.
  is_stale boolean not null default false,
  primary key (account_id, segment)
);
-- Uncompressed: they are encoded.
alter table analytics_segments
  alter core set storage external,
  alter visitors set storage external,
  alter visits set storage external,
  alter pages set storage external,
  alter events set storage external,
  alter event_names set storage external,
  alter event_funnels set storage external,
  alter milliseconds set storage external,
  alter source set storage external,
  alter medium set storage external,
  alter campaign set storage external,
  alter landing_page set storage external,
  alter country set storage external,
  alter device set storage external,
  alter channel set storage external,
  alter term set storage external,
  alter content set storage external,
  alter referrer set storage external,
  alter exit_page set storage external,
  alter browser set storage external,
  alter os set storage external,
  alter region set storage external;

-- Sessions that changed since their segment was written. Reports read them from their own rows.
create table analytics_changed_sessions (
  account_id uuid not null,
  session_number bigint not null,
  -- When its segment must be rebuilt; null: when enough sessions have changed.
  due_at timestamptz(3),
  primary key (account_id, session_number)
);

-- Events without a session, by quarters of an hour. An empty funnel is none.
create table analytics_sessionless_events (
  account_id uuid not null,
  at timestamptz(3) not null,
  event text collate "C" not null,
  funnel text collate "C" not null,
  is_bot boolean not null,
  is_internal boolean not null,
  events bigint not null,
  primary key (account_id, at, event, funnel, is_bot, is_internal)
);

-- Conversions and leads with the dimensions of their session.
create table analytics_conversions (
  account_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  value numeric,
  currency text,
  -- Its value was adjusted to 0.
  is_refunded boolean not null,
  session_number bigint,
  session_started_at timestamptz(3),
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  landing_page text,
  country text,
  device text,
  channel text,
  term text,
  content text,
  referrer text,
  exit_page text,
  browser text,
  os text,
  region text,
  platform text[] not null,
  page text[] not null,
  event text[] not null,
  funnel text[] not null,
  primary key (account_id, id)
);
-- Includes everything that a report without filters reads.
create index analytics_conversions_by_time on analytics_conversions (account_id, at)
  include (is_bot, is_internal, is_refunded, currency, value);
-- Finds the sessions that converted.
create index analytics_conversions_by_session_start on analytics_conversions (account_id, session_started_at)
  include (is_bot, is_internal, is_refunded, session_number);
create index analytics_conversions_by_session on analytics_conversions (account_id, session_number);

create table analytics_leads (like analytics_conversions);
alter table analytics_leads drop column value, drop column currency, drop column is_refunded,
  drop column session_started_at, add primary key (account_id, id);
create index analytics_leads_by_time on analytics_leads (account_id, at) include (is_bot, is_internal);
create index analytics_leads_by_session on analytics_leads (account_id, session_number);

-- When reports of an account were read, to the hour: a process loads their segments when it starts.
create table analytics_readers (
  account_id uuid primary key,
  read_at timestamptz(3) not null
);

-- Accounts of which rows were deleted: those from before `before`, or only leads. The next aggregation run applies it.
create table analytics_deletions (
  account_id uuid primary key,
  before timestamptz(3)
);

-- What ads cost by day, source, campaign and currency, as imported. Without a campaign, `campaign` is empty.
create table ad_costs (
  account_id uuid not null,
  day date not null,
  source text not null,
  campaign text not null,
  currency text not null,
  cost numeric not null,
  clicks bigint,
  impressions bigint,
  updated_at timestamptz(3) not null,
  primary key (account_id, day, source, campaign, currency)
);

-- Named states of a screen of the dashboard: filters and period of the overview, steps of a funnel.
create table saved_views (
  account_id uuid not null,
  id uuid not null,
  screen text not null,
  name text not null,
  state jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create unique index saved_views_by_name on saved_views (account_id, screen, lower(name));

-- Notes on the chart of the overview: of a day in the time zone of whoever reads it, or of a time.
create table annotations (
  account_id uuid not null,
  id uuid not null,
  day date,
  at timestamptz(3),
  text text not null,
  author_type text not null,
  author_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  check ((day is null) <> (at is null))
);

-- Reports that anyone with the link can read.
create table shared_links (
  account_id uuid not null,
  id uuid not null,
  -- SHA-256 of the token in the URL.
  hash bytea not null,
  name text not null,
  -- The screen, period, comparison, filters, and steps of a funnel.
  report jsonb not null,
  -- Whether readers can choose the period and add filters.
  is_interactive boolean not null,
  -- Whether readers see the annotations of the account.
  has_annotations boolean not null,
  -- scrypt, like the passwords of users; null: none.
  password text,
  created_at timestamptz(3) not null,
  last_read_at timestamptz(3),
  primary key (account_id, id),
  unique (account_id, hash)
);
