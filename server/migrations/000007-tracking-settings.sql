-- What an account has set of its tracking; no row: the defaults.
create table tracking_settings (
  account_id uuid primary key,
  -- Origins as a browser sends them, or with `*.` before the host; none: every origin.
  allowed_origins text[] not null default '{}',
  -- Addresses and CIDR ranges whose visits and events are marked as internal.
  excluded_addresses text[] not null default '{}',
  retention_days integer check (retention_days > 0),
  updated_at timestamptz(3) not null
);
