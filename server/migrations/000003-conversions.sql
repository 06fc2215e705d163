-- Every report takes the next number while it holds its conversion's row: the order of arrival, on any number of processes.
create sequence conversion_arrival_seq;

create table conversions (
  account_id uuid not null,
  id uuid not null,
  -- `eventId`: the caller's own.
  event_id text collate "C",
  event text not null,
  value numeric,
  currency text,
  created_on timestamptz(3) not null,
  received_at timestamptz(3) not null,
  origin text not null check (origin in ('report', 'event')),
  -- Name and value of the identifier that matched first: {"gclid": "…"}.
  identifier jsonb,
  session_number bigint,
  extra jsonb,
  -- Of the latest report.
  arrival bigint not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
) with (fillfactor = 85);
create unique index conversions_by_event_id on conversions (account_id, event_id) where event_id is not null;
create index conversions_by_session on conversions (account_id, session_number);

-- Every report that made or restated a conversion, as it came.
create table conversion_revisions (
  account_id uuid not null,
  conversion_id uuid not null,
  arrival bigint not null,
  event text,
  value numeric,
  currency text,
  created_on timestamptz(3),
  extra jsonb,
  identifier jsonb,
  origin text not null,
  received_at timestamptz(3) not null,
  primary key (account_id, conversion_id, arrival)
);

-- Reports whose session is not known yet: kept 30 days, matched as soon as it is.
create table unmatched_conversions (
  account_id uuid not null,
  id uuid not null,
  -- Of the identifier: see `identifierDigest` in tracking.
  digest uuid not null,
  identifier jsonb not null,
  event_id text collate "C",
  event text not null,
  value numeric,
  currency text,
  created_on timestamptz(3) not null,
  received_at timestamptz(3) not null,
  extra jsonb,
  -- Which of event, value, currency, createdOn and extra the report named; a restatement replaces only these.
  named text[] not null,
  arrival bigint not null,
  primary key (account_id, id)
);
create index unmatched_conversions_by_digest on unmatched_conversions (account_id, digest);
create index unmatched_conversions_by_event_id on unmatched_conversions (account_id, event_id) where event_id is not null;
create index unmatched_conversions_by_age on unmatched_conversions (received_at);
