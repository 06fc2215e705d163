-- Work that outlives the request it was asked by.
create table jobs (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  params jsonb not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress double precision not null default 0 check (progress between 0 and 1),
  result jsonb,
  error jsonb,
  -- Which start of the job this is: whatever an earlier one still writes is refused by it.
  attempt integer not null default 0,
  -- How many starts ended without a word.
  crashes integer not null default 0,
  -- By the database's clock: from when on a runner may take the job; while it runs, the end of its lease. Null: finished.
  -- Not rounded to the millisecond, which would put half of all new jobs ahead of the claim that follows them.
  due_at timestamptz,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (account_id, id)
);
create index jobs_open on jobs (account_id, id) where due_at is not null;
create index jobs_by_start on jobs (account_id, started_at);
create index jobs_by_expiry on jobs (expires_at) where expires_at is not null;
