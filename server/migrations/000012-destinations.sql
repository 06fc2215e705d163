create table destinations (
  account_id uuid not null,
  id uuid not null,
  platform text not null,
  name text not null,
  -- JSON, encrypted with a key derived from the instance's secret.
  credentials bytea not null,
  -- The members of the credentials that are no secrets.
  connection jsonb not null,
  mapping jsonb not null,
  filter jsonb not null,
  consent text not null check (consent in ('required', 'unless_denied', 'ignore')),
  mode text not null check (mode in ('live', 'validate', 'off')),
  -- Conversions created earlier are skipped.
  start_at timestamptz(3) not null,
  -- Seconds from a conversion's creation until it is sent.
  send_after integer not null,
  -- Set while nothing is sent because the platform refuses the credentials.
  paused_at timestamptz(3),
  -- The first failed request since the last successful one, and when the account was notified of it.
  failing_since timestamptz(3),
  notified_at timestamptz(3),
  -- What the platform responded to the latest failed request.
  error text,
  last_sent_at timestamptz(3),
  -- Nothing is sent before, after a failure or because the platform limits requests.
  blocked_until timestamptz(3),
  -- Number of notifications: the `sequence` of webhook payloads.
  version integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
) with (fillfactor = 70);

-- Conversions that have to be sent, or sent again after a change. The conversion's latest version is sent, so changes that
-- follow each other coalesce.
create table destination_queue (
  account_id uuid not null,
  destination_id uuid not null,
  conversion_id uuid not null,
  -- The latest version that was reported.
  version integer not null,
  -- Whether it has no delivery yet.
  is_first boolean not null,
  -- Whether it is decided on again, although its version was.
  is_replay boolean not null default false,
  queued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  -- Failed attempts since it was queued.
  tries integer not null default 0,
  -- What may have been sent without an answer so far: see `Intent`. It is repeated exactly, so that the platform recognizes
  -- the repetition.
  intent jsonb,
  primary key (account_id, destination_id, conversion_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  -- A table that was emptied and cut would be scanned by every plan that is made meanwhile.
  vacuum_truncate = off);
-- Partial, so that the planner cannot take it for the primary key of a row, of which it estimates the same.
create index destination_queue_by_due on destination_queue (account_id, destination_id, due_at) where due_at is not null;

-- What became of each conversion at each destination.
create table destination_deliveries (
  account_id uuid not null,
  destination_id uuid not null,
  conversion_id uuid not null,
  status text not null check (status in
    ('sent', 'adjusted', 'retracted', 'skipped', 'rejected', 'not_adjustable', 'uncertain')),
  reason text,
  -- The version that the status is about.
  version integer not null,
  -- What the platform has, exactly as it was sent: {wireId, target, value, currency, occurredAt, sentAt, version}; null if
  -- nothing was sent.
  sent jsonb,
  -- The latest attempts, oldest first: {at, action, version, value, currency, status, reason}.
  attempts jsonb not null,
  -- The platform's latest refusal, verbatim with secrets masked. Erased along with the conversion's personal data.
  response text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, destination_id, conversion_id)
);
create index destination_deliveries_by_time on destination_deliveries (account_id, destination_id, updated_at, conversion_id);
create index destination_deliveries_by_status
  on destination_deliveries (account_id, destination_id, status, updated_at, conversion_id);
create index destination_deliveries_with_response on destination_deliveries (account_id, conversion_id)
  where response is not null;
