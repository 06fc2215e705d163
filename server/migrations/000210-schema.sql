-- The schema of an account before and after each push of the last 30 days, by which the push is undone.
create table schema_pushes (
  account_id uuid not null,
  id uuid not null,
  before json not null,
  after json not null,
  created_at timestamptz(3) not null,
  primary key (account_id, id)
);
