-- Changes that somebody proposes, mostly an agent, and somebody decides about. `request` is what is carried out, `preview` what it would change
-- as of `state`, which is compared before it is.
create table plans (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null default 'waiting' check (status in ('waiting', 'applying', 'applied', 'undone', 'dismissed', 'stale')),
  reason text,
  request jsonb not null,
  preview jsonb not null,
  state text not null,
  result jsonb,
  client text,
  author_type text not null check (author_type in ('user', 'key', 'command')),
  author_id uuid,
  decided_by_type text,
  decided_by_id uuid,
  decided_at timestamptz(3),
  primary key (account_id, id)
);
create index plans_waiting on plans (account_id, id) where status = 'waiting';
