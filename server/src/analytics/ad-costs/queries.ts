import { rows, statement } from '../../shared/postgres/statement.ts';

const COSTS = rows({
  // A date as YYYY-MM-DD.
  day: 'text',
  source: 'text',
  campaign: 'text',
  currency: 'text',
  cost: 'numeric?',
  clicks: 'bigint?',
  impressions: 'bigint?',
});

/** Adds and replaces costs, and removes those whose cost is null. */
export const putAdCosts = statement('analytics.put_ad_costs', {
  account_id: 'uuid',
  costs: COSTS,
  now: 'timestamptz',
}).returns<{ written: number; removed: number }>(
  `with w as (select w.*, w.day::date as date from :costs as w),
   written as (
     insert into ad_costs (account_id, day, source, campaign, currency, cost, clicks, impressions, updated_at)
     select :account_id, date, source, campaign, currency, cost, clicks, impressions, :now
     from w where cost is not null
     order by day, source, campaign, currency
     on conflict (account_id, day, source, campaign, currency) do update set
       cost = excluded.cost, clicks = excluded.clicks, impressions = excluded.impressions,
       updated_at = excluded.updated_at
     returning 1),
   removed as (
     delete from ad_costs c using w
     where w.cost is null and c.account_id = :account_id and c.day = w.date and c.source = w.source
       and c.campaign = w.campaign and c.currency = w.currency
     returning 1)
   select (select count(*) from written)::int as written, (select count(*) from removed)::int as removed`,
);

export interface AdCostRow {
  day: string;
  source: string;
  campaign: string;
  currency: string;
  cost: string;
  clicks: number | null;
  impressions: number | null;
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
  after_currency: 'text',
  limit: 'integer',
}).returns<AdCostRow>(
  `select day::text, source, campaign, currency, trim_scale(cost)::text as cost, clicks, impressions, updated_at
   from ad_costs
   where account_id = :account_id
     and day >= coalesce(:from::date, '-infinity') and day < coalesce(:to::date, 'infinity')
     and (:source is null or source = :source) and (:campaign is null or campaign = :campaign)
     and (day, source, campaign, currency) < (coalesce(:after_day::date, 'infinity'), :after_source, :after_campaign,
       :after_currency)
   order by day desc, source desc, campaign desc, currency desc limit :limit`,
);

export interface CostByValueRow {
  value: string;
  currency: string;
  cost: string;
  clicks: number;
  impressions: number;
}

const period = { account_id: 'uuid', from: 'text', to: 'text', source: 'text?' } as const;

const sumBy = (column: 'source' | 'campaign') =>
  `select ${column} as value, currency, trim_scale(sum(cost))::text as cost, coalesce(sum(clicks), 0)::bigint as clicks,
     coalesce(sum(impressions), 0)::bigint as impressions
   from ad_costs
   where account_id = :account_id and day >= :from::date and day < :to::date
     and (:source is null or source = :source)
   group by ${column}, currency`;

export const sumCostsBySource = statement('analytics.sum_costs_by_source', period).returns<CostByValueRow>(
  sumBy('source'),
);
export const sumCostsByCampaign = statement('analytics.sum_costs_by_campaign', period).returns<CostByValueRow>(
  sumBy('campaign'),
);

export const findCostSources = statement('analytics.find_cost_sources', period).returns<{ source: string }>(
  `select distinct source from ad_costs
   where account_id = :account_id and day >= :from::date and day < :to::date and (:source is null or source = :source)`,
);
