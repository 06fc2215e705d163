-- What the results of large experiments are read from: sums of their visitors, which are made of events, sessions and increments and can be made again.

-- The metrics that have sums. 0 is what decides, then come the guardrails.
create table experiment_series (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  -- The rows that the sums contain; null: they have to be made.
  snapshot pg_snapshot,
  -- The exchange rates in them, and when the experiment was stopped.
  basis jsonb not null default '{}',
  -- Older sums are not read.
  refreshed_at timestamptz(3),
  -- Visitors with exposures and sales that are dated in the future: they are looked at again.
  ahead text[] not null default '{}',
  -- Whom to look at once an erasure is complete.
  erased_visitors text[] not null default '{}',
  erased_leads uuid[] not null default '{}',
  primary key (account_id, experiment_id, metric)
);

create table experiment_visitors (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  -- A digest of the ID of a lead or of a visitor.
  person uuid not null,
  variant text not null,
  is_contaminated boolean not null,
  settles_at timestamptz(3) not null,
  conversions integer not null,
  revenue numeric not null,
  -- As it was known when the visitor settled.
  settled_conversions integer not null,
  settled_revenue numeric not null,
  primary key (account_id, experiment_id, metric, person)
);
-- Those of an hour that has not ended.
create index experiment_visitors_by_settling on experiment_visitors (account_id, experiment_id, metric, settles_at);
-- For caps that are quantiles of values.
create index experiment_visitors_with_values on experiment_visitors (account_id, experiment_id, metric)
  where conversions <> 0 or revenue <> 0 or settled_conversions <> 0 or settled_revenue <> 0;

create table experiment_sums (
  account_id uuid not null,
  experiment_id uuid not null,
  metric smallint not null,
  variant text not null,
  -- In which these visitors settle, since 1970.
  hour integer not null,
  visitors integer not null,
  contaminated integer not null,
  conversions integer not null,
  revenue numeric not null,
  settled_conversions integer not null,
  settled_revenue numeric not null,
  -- Of the values of the metric, each at most its cap.
  settled_sum numeric not null,
  settled_squares numeric not null,
  sum numeric not null,
  squares numeric not null,
  primary key (account_id, experiment_id, metric, variant, hour)
);

-- The exposures of servers, by a digest of the visitor, as an index refuses rows with long texts.
create index events_of_exposed_visitors on events (account_id, md5(properties ->> 'visitorId'))
  where event = 'experiment_exposure' and session_number is null;
