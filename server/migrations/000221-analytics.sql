-- Rules on figures, which a worker evaluates.
create table alert_rules (
  account_id uuid not null,
  id uuid not null,
  -- Members of the API.
  definition jsonb not null,
  is_enabled boolean not null,
  -- What the last evaluation found.
  checked jsonb,
  checked_at timestamptz(3),
  -- The open incident.
  incident_id uuid,
  next_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index alert_rules_due on alert_rules (next_at) where is_enabled;

create table alert_incidents (
  account_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  opened_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  value double precision not null,
  expected double precision,
  limit_value double precision,
  text text not null,
  primary key (account_id, id)
);
create index alert_incidents_by_rule on alert_incidents (account_id, rule_id, id);

-- Notices to be sent to chats.
create table alert_notices (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  body text not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index alert_notices_due on alert_notices (due_at);
