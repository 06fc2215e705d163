-- What a cost source read, by the IDs of the ad platform; empty texts: imported by hand.
alter table ad_costs
  add column cost_source_id uuid,
  add column campaign_id text not null default '',
  add column ad_group_id text not null default '',
  add column ad_id text not null default '',
  drop constraint ad_costs_pkey,
  add primary key (account_id, day, source, campaign, ad_group, ad, currency, campaign_id, ad_group_id, ad_id);

alter table ad_cost_history
  add column cost_source_id uuid,
  add column campaign_id text not null default '',
  add column ad_group_id text not null default '',
  add column ad_id text not null default '',
  drop constraint ad_cost_history_pkey,
  add primary key (account_id, day, source, campaign, ad_group, ad, currency, campaign_id, ad_group_id, ad_id, known_at);

-- The latest name of each campaign, ad group and ad that a cost source read. Sources are in lower case.
create table ad_names (
  account_id uuid not null,
  source text not null,
  level text not null check (level in ('campaign', 'ad_group', 'ad')),
  id text not null,
  name text not null,
  primary key (account_id, source, level, id)
);

-- What sessions call a campaign, ad group or ad, in lower case, and its ID, or its name in lower case where it has none.
create table ad_aliases (
  account_id uuid not null,
  source text not null,
  level text not null check (level in ('campaign', 'ad_group', 'ad')),
  value text not null,
  id text not null,
  -- By a user. Others are learned: from IDs in landing URLs, and from earlier names.
  is_assigned boolean not null,
  primary key (account_id, source, level, value)
);
