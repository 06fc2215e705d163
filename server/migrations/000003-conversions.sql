-- Every report takes the next number while it holds its conversion's row: the order of arrival, on any number of processes.
-- Never with a cache, which would hand a process numbers to use later.
create sequence conversion_arrival_seq;

-- What the reports of one conversion come to: of each member the one that arrived last (see conversion_revisions).
create table conversions (
  account_id uuid not null,
  id uuid not null,
  -- `eventId`: the caller's own.
  event_id text collate "C",
  -- As sent, null while no report has named one; what counts is `event` and `created_on`.
  sent_event text,
  event text not null generated always as (coalesce(sent_event, 'conversion')) stored,
  value numeric,
  currency text,
  sent_created_on timestamptz(3),
  created_on timestamptz(3) not null generated always as (coalesce(sent_created_on, received_at)) stored,
  -- Of the report that matched first, like `identifier` and `session_number`.
  received_at timestamptz(3) not null,
  origin text not null check (origin in ('report', 'event')),
  -- Name and value: {"gclid": "…"}; null once it is forgotten.
  identifier jsonb,
  -- Of the identifier, which itself is forgotten at last: by this a report of the same one still restates the conversion.
  identifier_digest uuid,
  session_number bigint,
  extra jsonb,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
) with (fillfactor = 85);
create unique index conversions_by_event_id on conversions (account_id, event_id) where event_id is not null;

-- Every report that made or restated a conversion, as it came: null is what it did not name.
create table conversion_revisions (
  account_id uuid not null,
  conversion_id uuid not null,
  -- 0: an event from a page, which comes before every report.
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
  -- Of the identifier: see `Identifier.digest` in tracking.
  digest uuid not null,
  identifier jsonb not null,
  event_id text collate "C",
  sent_event text,
  event text not null generated always as (coalesce(sent_event, 'conversion')) stored,
  value numeric,
  currency text,
  sent_created_on timestamptz(3),
  created_on timestamptz(3) not null generated always as (coalesce(sent_created_on, received_at)) stored,
  received_at timestamptz(3) not null,
  extra jsonb,
  arrival bigint not null,
  primary key (account_id, id)
);
create index unmatched_conversions_by_digest on unmatched_conversions (account_id, digest);
create index unmatched_conversions_by_age on unmatched_conversions (received_at);
