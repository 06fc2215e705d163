-- Accounts that are on their way to or from this database; see docs/decisions/0034-moving-accounts.md. Triggers on their rows,
-- which exist only during a move, do what the state says.
create table moving_accounts (
  account_id uuid primary key,
  state text not null check (state in ('leaving', 'quiesced', 'fenced', 'left', 'arriving'))
);

-- The keys of rows of these accounts that changed since they were copied.
create sequence moved_change_seq;
create table moved_changes (
  account_id uuid not null,
  id bigint not null default nextval('moved_change_seq'),
  table_name text not null,
  key jsonb not null,
  primary key (account_id, id)
);
