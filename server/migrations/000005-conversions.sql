-- A report draws its number while it holds the lock of its conversion's row, so that numbers are the order of arrival across
-- processes. The sequence must not have a cache, from which a process would take numbers for later.
create sequence conversion_arrival_seq;

-- The current state of each conversion: the latest value of each member among its reports (see conversion_revisions).
create table conversions (
  account_id uuid not null,
  id uuid not null,
  -- The caller's `eventId`, or the `id` of an event.
  event_id text collate "C",
  -- As sent; null if no report contained it. `event` and `created_on` have the defaults applied.
  sent_event text,
  event text not null generated always as (coalesce(sent_event, 'conversion')) stored,
  value numeric,
  currency text,
  sent_created_on timestamptz(3),
  created_on timestamptz(3) not null generated always as (coalesce(sent_created_on, received_at)) stored,
  -- From the report that matched first, like `identifier` and `session_number`.
  received_at timestamptz(3) not null,
  origin text not null check (origin in ('report', 'event')),
  -- False if only events with a publishable key have made it: the first trusted report then replaces everything.
  is_trusted boolean not null default true,
  -- Name and value: {"gclid": "…"}; null once it is erased.
  identifier jsonb,
  -- Of the identifier, which retention deletes: a report with the same identifier can still restate the conversion.
  identifier_digest uuid,
  session_number bigint,
  extra jsonb,
  updated_at timestamptz(3) not null,
  -- Number of changes: the `sequence` of webhook payloads.
  version integer not null default 1,
  -- When every import that reported it was undone: it counts nowhere until it is reported again.
  withdrawn_at timestamptz(3),
  primary key (account_id, id)
) with (fillfactor = 85);
create view reported_conversions as select * from conversions where withdrawn_at is null;
create unique index conversions_by_event_id on conversions (account_id, event_id) where event_id is not null;

-- Every report that created or restated a conversion, as sent; null is what it did not contain.
create table conversion_revisions (
  account_id uuid not null,
  conversion_id uuid not null,
  -- 0: an event from a page, which precedes every report.
  arrival bigint not null,
  event text,
  value numeric,
  currency text,
  created_on timestamptz(3),
  extra jsonb,
  identifier jsonb,
  origin text not null,
  received_at timestamptz(3) not null,
  -- The version to which the report brought its conversion.
  version integer not null default 1,
  -- The import that contained it.
  import_id uuid,
  -- The version from which on it no longer counts, because its import was undone.
  withdrawn_version integer,
  -- The inserting transaction: the aggregation finds new rows by it, whenever they were committed.
  inserted_xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, conversion_id, arrival)
);

-- Reports whose session is unknown: kept for 30 days and matched when it arrives.
create table unmatched_conversions (
  account_id uuid not null,
  id uuid not null,
  -- Of the identifier: see `Identifier.digest` in tracking.
  digest uuid not null,
  -- Of the whole report, if it has no `eventId`: a repetition is the same report. Null with an `eventId`.
  fingerprint uuid,
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
  import_id uuid,
  primary key (account_id, id)
);
create index unmatched_conversions_by_digest on unmatched_conversions (account_id, digest);
create unique index unmatched_conversions_by_fingerprint on unmatched_conversions (account_id, fingerprint)
  where fingerprint is not null;
create index unmatched_conversions_by_age on unmatched_conversions (received_at);
create index conversions_by_session on conversions (account_id, session_number) where session_number is not null;
create index conversions_by_time on conversions (account_id, created_on, id);
create index conversion_revisions_by_transaction on conversion_revisions using brin (inserted_xid)
  with (pages_per_range = 16, autosummarize = on);

-- Batches of reports that can be undone, such as CSV uploads of the dashboard.
create table conversion_imports (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  reported integer not null default 0,
  unmatched integer not null default 0,
  failed integer not null default 0,
  -- When the undo was requested: reports are refused from then on.
  undone_at timestamptz(3),
  undo_finished_at timestamptz(3),
  -- What the undo has done so far.
  withdrawn integer not null default 0,
  reverted integer not null default 0,
  deleted_unmatched integer not null default 0,
  primary key (account_id, id)
);
create index conversion_revisions_by_import on conversion_revisions (account_id, import_id, conversion_id)
  where import_id is not null and withdrawn_version is null;
create index unmatched_conversions_by_import on unmatched_conversions (account_id, import_id) where import_id is not null;
