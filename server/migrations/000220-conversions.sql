-- Statements of payment providers and networks, compared with conversions.
create table reconciliations (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- As it was created with, and the period that follows from it.
  settings jsonb not null,
  -- Null until the job that compares has finished.
  result jsonb,
  error jsonb,
  job_id uuid,
  -- The import of conversions that it is applied as.
  import_id uuid,
  is_applied boolean not null default false,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index reconciliations_by_expiry on reconciliations (expires_at);

-- The file, until it is compared.
create table reconciliation_parts (
  account_id uuid not null,
  reconciliation_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (account_id, reconciliation_id, number)
);

-- What became of each order of the file, of its invalid rows, and of conversions that it does not have.
create table reconciliation_lines (
  account_id uuid not null,
  reconciliation_id uuid not null,
  number integer not null,
  outcome text not null,
  reason text,
  detail text,
  identifier text,
  -- Name and value of the click ID of an order that no conversion has.
  click jsonb,
  rows integer[] not null,
  there numeric,
  here numeric,
  currency text,
  here_currency text,
  conversion_id uuid,
  -- Of the conversion when it was compared.
  version integer,
  at timestamptz(3),
  can_apply boolean not null,
  applied_at timestamptz(3),
  primary key (account_id, reconciliation_id, number)
);
create index reconciliation_lines_by_outcome on reconciliation_lines (account_id, reconciliation_id, outcome, number);
