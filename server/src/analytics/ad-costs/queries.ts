import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';

const COSTS = rows({
  // A date as YYYY-MM-DD.
  day: 'text',
  source: 'text',
  campaign: 'text',
  ad_group: 'text',
  ad: 'text',
  currency: 'text',
  cost: 'numeric?',
  clicks: 'bigint?',
  impressions: 'bigint?',
});

const NAMES = ['source', 'campaign', 'ad_group', 'ad', 'currency'];
const IDS = ['campaign_id', 'ad_group_id', 'ad_id'];
const KEY = ['day', ...NAMES, ...IDS];
const sameKey = (names: readonly string[]) =>
  `c.account_id = :account_id and c.day = w.date and ${names.map((name) => `c.${name} = w.${name}`).join(' and ')}`;
const SAME_KEY = `${sameKey(NAMES)} and c.campaign_id = '' and c.ad_group_id = '' and c.ad_id = ''`;

/**
 * Whether a cost `h` that was imported by hand is of the campaign of `c`, which a cost source read: by its name, its ID, or what
 * sessions call it. A cost of a whole source is one of all its campaigns.
 */
const SAME_CAMPAIGN = `lower(h.source) = lower(c.source) and (
  h.campaign = '' or lower(btrim(h.campaign)) in (lower(c.campaign), c.campaign_id) or exists (
    select from ad_aliases a where a.account_id = :account_id and a.source = lower(c.source) and a.level = 'campaign'
      and a.value = lower(btrim(h.campaign)) and a.id = c.campaign_id))`;

/**
 * Adds and replaces costs, and removes those whose cost is null. What was known before stays in the history. Costs of a day and
 * campaign that a cost source read are skipped: it reads them again when they change.
 */
export const putAdCosts = statement('analytics.put_ad_costs', {
  account_id: 'uuid',
  costs: COSTS,
  now: 'timestamptz',
}).returns<{ written: number; removed: number; skipped: number }>(
  `with given as materialized (select w.*, w.day::date as date from :costs as w),
   w as materialized (
     select * from given h where not exists (
       select from ad_costs c
       where c.account_id = :account_id and c.day = h.date and c.cost_source_id is not null and ${SAME_CAMPAIGN})),
   replaced as (
     insert into ad_cost_history (account_id, ${KEY}, known_at, replaced_at, cost, clicks, impressions)
     select c.account_id, ${KEY.map((name) => `c.${name}`)}, c.updated_at, :now, c.cost, c.clicks, c.impressions
     from w join ad_costs c on ${SAME_KEY} where c.updated_at < :now
     on conflict do nothing),
   written as (
     insert into ad_costs (account_id, day, ${NAMES}, cost, clicks, impressions, updated_at)
     select :account_id, date, ${NAMES}, cost, clicks, impressions, :now
     from w where cost is not null
     order by day, ${NAMES}
     on conflict (account_id, ${KEY}) do update set
       cost = excluded.cost, clicks = excluded.clicks, impressions = excluded.impressions,
       updated_at = excluded.updated_at
     returning 1),
   removed as (
     delete from ad_costs c using w where w.cost is null and ${SAME_KEY}
     returning 1)
   select (select count(*) from written)::int as written, (select count(*) from removed)::int as removed,
     ((select count(*) from given) - (select count(*) from w))::int as skipped`,
);

const READ_COSTS = rows({
  day: 'text',
  campaign: 'text',
  ad_group: 'text',
  ad: 'text',
  currency: 'text',
  campaign_id: 'text',
  ad_group_id: 'text',
  ad_id: 'text',
  cost: 'numeric',
  clicks: 'bigint',
  impressions: 'bigint',
});
export type ReadCost = RowOf<typeof READ_COSTS>;

const MOVED = `account_id, ${KEY}, cost_source_id`;
const FIGURES = ['cost', 'clicks', 'impressions'];

/** Moves the costs of `old` to the history. */
const TO_HISTORY = `
   kept as (
     insert into ad_cost_history (${MOVED}, known_at, replaced_at, ${FIGURES})
     select ${MOVED}, updated_at, :now, ${FIGURES} from old where updated_at < :now
     on conflict do nothing)`;
const SAME_ROW = `c.account_id = o.account_id and ${KEY.map((name) => `c.${name} = o.${name}`).join(' and ')}`;

/**
 * Makes the costs of one day those that a cost source read. What it no longer reports is removed, and so is what was imported by
 * hand for its campaigns. What did not change stays as it is.
 */
export const putReadCosts = statement('analytics.put_read_costs', {
  account_id: 'uuid',
  cost_source_id: 'uuid',
  source: 'text',
  day: 'text',
  costs: READ_COSTS,
  now: 'timestamptz',
}).returns<{ written: number; removed: number; replaced: number }>(
  `with w as materialized (select w.*, w.day::date as date, :source as source from :costs as w),
   gone as materialized (
     select c.* from ad_costs c
     where c.account_id = :account_id and c.day = :day::date and c.cost_source_id = :cost_source_id
       and not exists (select from w where ${sameKey([...NAMES, ...IDS])})),
   by_hand as materialized (
     select h.* from ad_costs h
     where h.account_id = :account_id and h.day = :day::date and h.cost_source_id is null
       and exists (select from w c where ${SAME_CAMPAIGN})),
   changed as materialized (
     select w.*, c.account_id is not null as is_known, c.updated_at as known_at,
       c.cost as old_cost, c.clicks as old_clicks, c.impressions as old_impressions, c.cost_source_id as old_source_id
     from w left join ad_costs c on ${sameKey([...NAMES, ...IDS])}
     where (c.account_id, c.cost, c.clicks, c.impressions, c.cost_source_id)
       is distinct from (:account_id, w.cost, w.clicks, w.impressions, :cost_source_id)),
   old as (
     select ${MOVED}, updated_at, ${FIGURES} from gone
     union all select ${MOVED}, updated_at, ${FIGURES} from by_hand
     union all select :account_id, date, ${[...NAMES, ...IDS]}, old_source_id, known_at, old_cost, old_clicks, old_impressions
       from changed where is_known),${TO_HISTORY},
   removed as (
     delete from ad_costs c using (select ${MOVED} from gone union all select ${MOVED} from by_hand) o where ${SAME_ROW}),
   written as (
     insert into ad_costs (${MOVED}, ${FIGURES}, updated_at)
     select :account_id, date, ${[...NAMES, ...IDS]}, :cost_source_id, ${FIGURES}, :now from changed
     order by day, ${[...NAMES, ...IDS]}
     on conflict (account_id, ${KEY}) do update set cost_source_id = excluded.cost_source_id, cost = excluded.cost,
       clicks = excluded.clicks, impressions = excluded.impressions, updated_at = excluded.updated_at
     returning 1)
   select (select count(*) from written)::int as written, (select count(*) from gone)::int as removed,
     (select count(*) from by_hand)::int as replaced`,
);

export const countDaysRead = statement('analytics.count_days_read', {
  account_id: 'uuid',
  cost_source_id: 'uuid',
  from: 'text',
  to: 'text',
}).returns<{ days: number }>(
  `select count(distinct day)::int as days from ad_costs
   where account_id = :account_id and cost_source_id = :cost_source_id and day between :from::date and :to::date`,
);

/** How many costs that were imported by hand those of a day replace. */
export const countReplaced = statement('analytics.count_replaced_costs', {
  account_id: 'uuid',
  source: 'text',
  day: 'text',
  costs: READ_COSTS,
}).returns<{ replaced: number }>(
  `with w as (select w.*, :source as source from :costs as w)
   select count(*)::int as replaced from ad_costs h
   where h.account_id = :account_id and h.day = :day::date and h.cost_source_id is null
     and exists (select from w c where ${SAME_CAMPAIGN})`,
);

/** Gives costs of all days the latest names of their IDs: history keeps one campaign. */
export const renameReadCosts = statement('analytics.rename_read_costs', {
  account_id: 'uuid',
  cost_source_id: 'uuid',
  names: rows({ level: 'text', id: 'text', name: 'text' }),
  now: 'timestamptz',
}).returns<{ renamed: number }>(
  `with n as materialized (select * from :names as n),
   old as materialized (
     select c.*, coalesce(nc.name, c.campaign) as new_campaign, coalesce(ng.name, c.ad_group) as new_ad_group,
       coalesce(na.name, c.ad) as new_ad
     from ad_costs c
     left join n nc on nc.level = 'campaign' and nc.id = c.campaign_id
     left join n ng on ng.level = 'ad_group' and ng.id = c.ad_group_id
     left join n na on na.level = 'ad' and na.id = c.ad_id
     where c.account_id = :account_id and c.cost_source_id = :cost_source_id
       and (coalesce(nc.name, c.campaign), coalesce(ng.name, c.ad_group), coalesce(na.name, c.ad)) <> (c.campaign, c.ad_group, c.ad)),${TO_HISTORY},
   renamed as (
     update ad_costs c set campaign = o.new_campaign, ad_group = o.new_ad_group, ad = o.new_ad, updated_at = :now
     from old o where ${SAME_ROW} returning 1)
   select count(*)::int as renamed from renamed`,
);

/** Removes some of the costs that a cost source read. */
export const removeReadCosts = statement('analytics.remove_read_costs', {
  account_id: 'uuid',
  cost_source_id: 'uuid',
  now: 'timestamptz',
  limit: 'integer',
}).returns<{ removed: number }>(
  `with old as materialized (
     select * from ad_costs where account_id = :account_id and cost_source_id = :cost_source_id limit :limit),${TO_HISTORY},
   removed as (delete from ad_costs c using old o where ${SAME_ROW} returning 1)
   select count(*)::int as removed from removed`,
);

export interface AdCostRow {
  day: string;
  source: string;
  campaign: string;
  ad_group: string;
  ad: string;
  currency: string;
  cost: string;
  clicks: number | null;
  impressions: number | null;
  cost_source_id: string | null;
  campaign_id: string;
  ad_group_id: string;
  ad_id: string;
  updated_at: Date;
}

/** The latest days first. */
export const listAdCosts = statement('analytics.list_ad_costs', {
  account_id: 'uuid',
  from: 'text?',
  to: 'text?',
  source: 'text?',
  campaign: 'text?',
  // The last row of the previous page.
  after_day: 'text?',
  after_source: 'text',
  after_campaign: 'text',
  after_ad_group: 'text',
  after_ad: 'text',
  after_currency: 'text',
  after_campaign_id: 'text',
  after_ad_group_id: 'text',
  after_ad_id: 'text',
  limit: 'integer',
}).returns<AdCostRow>(
  `select day::text, source, campaign, ad_group, ad, currency, trim_scale(cost)::text as cost, clicks, impressions, cost_source_id,
     campaign_id, ad_group_id, ad_id, updated_at
   from ad_costs
   where account_id = :account_id
     and day >= coalesce(:from::date, '-infinity') and day < coalesce(:to::date, 'infinity')
     and (:source is null or source = :source) and (:campaign is null or campaign = :campaign)
     and (${KEY}) < (coalesce(:after_day::date, 'infinity'), :after_source, :after_campaign,
       :after_ad_group, :after_ad, :after_currency, :after_campaign_id, :after_ad_group_id, :after_ad_id)
   order by ${KEY.map((name) => `${name} desc`)} limit :limit`,
);
