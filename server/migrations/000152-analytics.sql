-- Costs of ad groups and ads; an empty text: of the whole campaign or ad group.
alter table ad_costs
  add column ad_group text not null default '',
  add column ad text not null default '',
  drop constraint ad_costs_pkey,
  add primary key (account_id, day, source, campaign, ad_group, ad, currency);

-- Costs that were replaced or removed, so that a report can be repeated as it was known at a time.
create table ad_cost_history (
  account_id uuid not null,
  day date not null,
  source text not null,
  campaign text not null,
  ad_group text not null,
  ad text not null,
  currency text not null,
  known_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  cost numeric not null,
  clicks bigint,
  impressions bigint,
  primary key (account_id, day, source, campaign, ad_group, ad, currency, known_at)
);

-- Reference rates: one unit of `base` is `rate` units of `currency` on a day. The latest one known counts; earlier ones stay.
create table exchange_rates (
  account_id uuid not null,
  base text not null,
  currency text not null,
  day date not null,
  known_at timestamptz(3) not null,
  rate numeric not null,
  primary key (account_id, base, currency, day, known_at)
);
