-- What is to be pushed, written in the transaction of what it tells. A row holds all changes of one kind that one statement
-- made to one account; it lives until it is spread over the endpoints, a fraction of a second.
create sequence outbox_seq;
create table outbox (
  account_id uuid not null,
  id bigint not null default nextval('outbox_seq'),
  topic text not null,
  resources uuid[] not null,
  -- How often each of them has changed. Null: these never change.
  sequences bigint[],
  -- An array beside `resources`. Null: the resources' own rows tell all.
  data json,
  at timestamptz(3) not null,
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Who reads which topic (`*`: every one). What nobody reads is not written.
create table outbox_subscriptions (
  account_id uuid not null,
  topic text not null,
  subscriber_id uuid not null,
  primary key (account_id, topic, subscriber_id)
);

create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  -- Null: all.
  events text[],
  status text not null check (status in ('active', 'disabled')),
  -- Why it is disabled: by a request, by its own answer 410, after days of nothing but failures.
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  -- Encrypted with the service's secret.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- The first failed attempt since the latest that succeeded.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);

-- What was, or is to be, pushed: one for all endpoints of the account. Its id is the `webhook-id`, a UUIDv7, so that a day's
-- messages are a range of ids; a partition for each day is made when it is needed, and dropped as a whole.
create table webhook_messages (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  -- JSON, to the byte what is signed and sent.
  body text not null,
  -- Whose data it holds, so that erasing a person reaches it.
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
  -- Of the answer, where there was one.
  status integer,
  ms integer not null,
  error text,
  primary key (account_id, endpoint_id, message_id, number)
) partition by range (message_id);

-- The deliveries that are pending.
create table webhook_queue (
  account_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  -- By the service's clock: when the next attempt is to be made.
  due_at timestamptz(3) not null,
  -- By the database's clock: until when it is the process's that is about to make it.
  leased_until timestamptz,
  -- Attempts made so far, and those of them since it was last queued.
  attempts integer not null,
  tries integer not null,
  primary key (account_id, endpoint_id, message_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index webhook_queue_by_due on webhook_queue (account_id, endpoint_id, due_at);

-- How often each was changed: the `sequence` of what is pushed. A revision's is the one it brought its conversion to.
alter table leads add column version integer not null default 1;
alter table conversions add column version integer not null default 1;
alter table conversion_revisions add column version integer not null default 1;
