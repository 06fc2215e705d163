-- Experiments. Who saw which variant is not here: exposures are events of pages and servers.
create table experiments (
  account_id uuid not null,
  id uuid not null,
  -- It seeds the assignment, so it never belongs to another experiment.
  key text collate "C" not null,
  status text not null check (status in ('draft', 'running', 'stopped', 'shipped')),
  -- Members of the API, as they were sent.
  definition jsonb not null,
  -- The experiments of the namespace that started earlier, whose visitors it leaves out; frozen when it starts.
  preceding jsonb not null default '[]',
  shipped_variant text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  shipped_at timestamptz(3),
  primary key (account_id, id)
);
create unique index experiments_by_key on experiments (account_id, key);
create index experiments_running on experiments (account_id, started_at) where status = 'running';
