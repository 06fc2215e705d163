create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  -- Subscribed topics; null: all.
  events text[],
  -- Topics of entries are only sent for these; null: for all.
  collection_ids text[],
  status text not null check (status in ('active', 'disabled')),
  -- By a request; because it responded with 410; because it only failed for days.
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  -- Encrypted with a key derived from the instance's secret.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- The first failed attempt since the last successful one.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);

-- One message for all endpoints of the account. Its id is the `webhook-id`, a UUIDv7, so a day's messages are a range of
-- ids. A partition for each day is created when it is needed, and dropped as a whole.
create table webhook_messages (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  -- JSON, byte for byte as it is signed and sent.
  body text not null,
  -- Whose personal data it contains, for erasure.
  session_number bigint,
  lead_id uuid,
  primary key (account_id, id)
) partition by range (id);

create table webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  primary key (account_id, endpoint_id, message_id)
) partition by range (message_id);
create index webhook_deliveries_by_status on webhook_deliveries (account_id, endpoint_id, status, type, message_id);

create table webhook_attempts (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  number integer not null,
  at timestamptz(3) not null,
  -- HTTP status; null without a response.
  status integer,
  ms integer not null,
  error text,
  -- Start of the body of an unsuccessful response. It may repeat the payload, so it is erased with it.
  response text,
  primary key (account_id, endpoint_id, message_id, number)
) partition by range (message_id);
create index webhook_attempts_responses on webhook_attempts (account_id, message_id) where response is not null;

-- Pending deliveries.
create table webhook_queue (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  -- When the next attempt is due, by the service's clock.
  due_at timestamptz(3) not null,
  -- Until when a process holds the delivery, by the database's clock.
  leased_until timestamptz,
  -- Attempts so far, and those since it was last queued.
  attempts integer not null,
  tries integer not null,
  primary key (account_id, endpoint_id, message_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index webhook_queue_by_due on webhook_queue (account_id, endpoint_id, due_at);
