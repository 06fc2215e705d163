create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One row: the secret that signs page tokens and download links and encrypts the ids of sessions, the same for every process
-- and every cell. It must never change, because ids that were given out would name other sessions.
create table instance (
  only_row boolean primary key default true check (only_row),
  secret bytea not null,
  -- Which cell the database is.
  cell text not null default 'main',
  created_at timestamptz(3) not null default now()
);
insert into instance (secret) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  -- Kept as text: jsonb would put the members of what is answered again into another order.
  response json,
  created_at timestamptz(3) not null,
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Changes to send to subscribers, written in the transaction that makes them. A row contains all changes of one topic that one
-- statement made in one account. It is deleted within a fraction of a second, when it is fanned out to the webhooks.
create sequence outbox_seq;
create table outbox (
  account_id uuid not null,
  id bigint not null default nextval('outbox_seq'),
  topic text not null,
  resources uuid[] not null,
  -- Number of changes of each resource so far; null: they never change.
  sequences bigint[],
  -- The state of each resource at this change; null: their own rows have it.
  data json,
  at timestamptz(3) not null,
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Topics by subscriber (`*`: all). Changes without a subscriber are not written.
create table outbox_subscriptions (
  account_id uuid not null,
  topic text not null,
  subscriber_id uuid not null,
  primary key (account_id, topic, subscriber_id)
);

-- The audit log.
create table audit_log (
  account_id uuid not null,
  -- UUIDv7: contains the time of the change.
  id uuid not null,
  actor_type text not null check (actor_type in ('user', 'key', 'command')),
  actor_id uuid,
  action text not null,
  subject_type text not null,
  -- Public id.
  subject_id text not null,
  -- IP address of the request; null for a command.
  address text,
  before jsonb,
  after jsonb,
  primary key (account_id, id)
);
create index audit_log_by_age on audit_log (id);
create index audit_log_by_actor on audit_log (account_id, actor_id, id);
create index audit_log_by_subject on audit_log (account_id, subject_id, id);
create index audit_log_by_action on audit_log (account_id, action, id);

-- Entries cannot be changed. Only retention deletes them.
create function audit_log_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('headwater.apply_audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_append_only();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function audit_log_append_only();
