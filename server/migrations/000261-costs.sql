-- Accounts of ad platforms whose cost is read each hour.
create table cost_sources (
  account_id uuid not null,
  id uuid not null,
  platform text not null,
  -- The platform's ID of the account: each is connected once.
  ad_account text not null,
  name text not null,
  -- As in sessions, such as `google`.
  source text not null,
  credentials bytea not null,
  connection jsonb not null,
  -- Of the same platform, whose credentials are used as far as there are none here.
  destination_id uuid,
  mode text not null check (mode in ('live', 'off')),
  paused_at timestamptz(3),
  pause_reason text check (pause_reason in ('credentials', 'access')),
  failing_since timestamptz(3),
  failures integer not null default 0,
  notified_at timestamptz(3),
  error text,
  currency text,
  time_zone text,
  -- A report that the platform is still making.
  pending jsonb,
  -- When it is read next; null: it is off, or waits for credentials.
  due_at timestamptz(3),
  last_read_at timestamptz(3),
  version integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, platform, ad_account)
) with (fillfactor = 70);
create index cost_sources_due on cost_sources (due_at) where due_at is not null;
