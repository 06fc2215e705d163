-- What arrived at the test endpoint of an account, for a day.
create table webhook_arrivals (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid,
  headers jsonb not null,
  body text not null,
  bytes integer not null,
  signature text not null check (signature in ('valid', 'invalid', 'missing', 'unknown')),
  primary key (account_id, id)
);
create index webhook_arrivals_by_age on webhook_arrivals (id);
