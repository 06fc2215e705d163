-- Accounts on their way to another cell; see docs/decisions/0034-moving-accounts.md.
create table account_moves (
  account_id uuid primary key references accounts (id),
  from_cell text not null references cells (name),
  to_cell text not null references cells (name),
  state text not null check (state in ('copying', 'following', 'switching', 'switched', 'canceling')),
  started_at timestamptz(3) not null,
  -- Why it stopped; processes continue it after `retry_at`.
  error text,
  retry_at timestamptz(3) not null
);
