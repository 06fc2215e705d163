import { statement } from '../../shared/postgres/statement.ts';
import { KEY_COLUMNS, type KeyColumn, listOf, quarterOf, quartersBetween } from './key-columns.ts';

/** Increments of a source, key and currency. Lists are numbers in order, separated by commas. */
export interface IncrementsRow {
  source: string;
  key: string | null;
  currency: string | null;
  /** See `unpackIncrement`. */
  packed: string;
  /** Values times 10,000. */
  units: string;
  /** Quarters of an hour since 1970 of the sales; null where the currency is that of the report. */
  sales: string | null;
}

/** Increments of a source, key and currency, as in `IncrementsRow`. */
export interface Increments {
  source: string;
  key: string | null;
  currency: string | null;
  packed: number[];
  units: number[];
  sales: number[] | null;
  /** What part of each conversion a click earned; null: all of it. */
  parts: number[] | null;
}

/** The numbers of a list, without a string for each. */
export const numbersOf = (list: string): number[] => JSON.parse(`[${list}]`);

export const incrementsOf = ({ packed, units, sales, ...row }: IncrementsRow): Increments => ({
  ...row,
  ...{
    packed: numbersOf(packed),
    units: numbersOf(units),
    sales: sales === null ? null : numbersOf(sales),
    parts: null,
  },
});

const MAX_UNTIL_KNOWN = 1_048_575;

/** As two numbers, increments are read and sent in half of the time. */
const PACKED = `(${quartersBetween(':from::timestamptz', 'clicked_at')} << 23)
  + (least(greatest(${quartersBetween('clicked_at', 'known_at')}, 0), ${MAX_UNTIL_KNOWN}) << 3)
  + ((conversions + 1) << 1) + is_refund::int`;

/** Quarters are of an hour: of the click since the first one, and of the time from the click until it was known. */
export function unpackIncrement(packed: number) {
  const rest = packed % 2 ** 23;
  return {
    clickQuarter: Math.floor(packed / 2 ** 23),
    quartersUntilKnown: rest >> 3,
    conversions: ((rest >> 1) & 3) - 1,
    isRefund: (rest & 1) === 1,
  };
}

/** SQL for when an increment became known, in quarters since the first one, and what it is. */
export const KNOWN = `(greatest(${quarterOf('known_at')} - ${quarterOf(':from::timestamptz')}, 0) << 3)
  + ((conversions + 1) << 1) + is_refund::int`;

/** As `PACKED`, of what SQL has as `KNOWN`. */
export function packIncrement(clickQuarter: number, known: number): number {
  const untilKnown = Math.min(Math.max(Math.floor(known / 8) - clickQuarter, 0), MAX_UNTIL_KNOWN);
  return clickQuarter * 2 ** 23 + untilKnown * 8 + (known & 7);
}

const incrementsBy = (column: KeyColumn) =>
  statement(`analytics.find_increments_by_${column}`, {
    account_id: 'uuid',
    // On a quarter of an hour.
    from: 'timestamptz',
    to: 'timestamptz',
    known_at: 'timestamptz',
    unpaid: 'text[]',
    currency: 'text?',
  }).returns<IncrementsRow>(
    `select source, ${column} as key, currency, ${listOf(PACKED)} as packed, ${listOf('(value * 10000)::bigint')} as units,
       case when currency is distinct from :currency then ${listOf(quarterOf('sale_at'))} end as sales
     from analytics_increments
     where account_id = :account_id and clicked_at >= :from and clicked_at < :to and known_at <= :known_at
       and not is_bot and not is_internal and source is not null and not coalesce(medium = any(:unpaid), false)
     group by source, ${column === 'source' ? '' : `${column}, `}currency`,
  );

/** The increments of clicks of a period that were known at a time, without unpaid media. */
export const findIncrements = Object.fromEntries(KEY_COLUMNS.map((column) => [column, incrementsBy(column)])) as Record<
  KeyColumn,
  ReturnType<typeof incrementsBy>
>;

/** What sales of one day brought. */
export interface ResultRow {
  source: string;
  key: string | null;
  currency: string | null;
  /** Since 1970. */
  sale_day: number;
  /** Values times 10,000. */
  units: number;
  conversions: number;
  /** Whether any of them has a value. */
  has_value: boolean;
}

const sumBy = (column: 'source' | 'campaign', time: 'clicked_at' | 'sale_at') =>
  statement(`analytics.sum_increments_by_${column}_and_${time}`, {
    account_id: 'uuid',
    from: 'timestamptz',
    to: 'timestamptz',
    known_at: 'timestamptz',
    unpaid: 'text[]',
    time_zone: 'text',
  }).returns<ResultRow>(
    `select source, ${column} as key, currency, (sale_at at time zone :time_zone)::date - '1970-01-01'::date as sale_day,
       round(sum(value) * 10000)::bigint as units, sum(conversions)::int as conversions, bool_or(value <> 0) as has_value
     from analytics_increments
     where account_id = :account_id and ${time} >= :from and ${time} < :to and known_at <= :known_at
       and not is_bot and not is_internal and source is not null and not coalesce(medium = any(:unpaid), false)
     group by source, ${column === 'source' ? '' : `${column}, `}currency, 4`,
  );

/** What was known at a time of the clicks or the sales of a period, without unpaid media. */
export const sumIncrements = {
  click: { source: sumBy('source', 'clicked_at'), campaign: sumBy('campaign', 'clicked_at') },
  conversion: { source: sumBy('source', 'sale_at'), campaign: sumBy('campaign', 'sale_at') },
};

/** What became known of the sales of days at each age in days. */
export const sumSaleIncrements = statement('analytics.sum_sale_increments', {
  account_id: 'uuid',
  from: 'timestamptz',
  known_at: 'timestamptz',
  time_zone: 'text',
}).returns<{ source: string | null; currency: string | null; sale_day: number; age: number; units: number }>(
  `select source, currency, sale_day, age, round(sum(value) * 10000)::bigint as units
   from (
     select source, currency, value, (sale_at at time zone :time_zone)::date - '1970-01-01'::date as sale_day,
       greatest(0, (known_at at time zone :time_zone)::date - (sale_at at time zone :time_zone)::date) as age
     from analytics_increments
     where account_id = :account_id and sale_at >= :from and known_at <= :known_at and not is_bot and not is_internal) i
   group by 1, 2, 3, 4`,
);

/** Costs as they were known at a time. */
const KNOWN_COSTS = `
  select day, source, campaign, ad_group, ad, currency, cost, clicks, impressions from ad_costs
  where account_id = :account_id and day >= :from::date and day < :to::date and updated_at <= :known_at
  union all
  select day, source, campaign, ad_group, ad, currency, cost, clicks, impressions from ad_cost_history
  where account_id = :account_id and day >= :from::date and day < :to::date and known_at <= :known_at and replaced_at > :known_at`;

/** Costs of an ad. Lists are numbers in order, separated by commas. */
export interface CostsRow {
  source: string;
  campaign: string;
  ad_group: string;
  ad: string;
  currency: string;
  /** Since 1970. */
  days: string;
  /** Costs times 10,000. */
  units: string;
  clicks: string;
  impressions: string;
}

export const findCosts = statement('analytics.find_costs', {
  account_id: 'uuid',
  from: 'text',
  to: 'text',
  known_at: 'timestamptz',
}).returns<CostsRow>(
  `select source, campaign, ad_group, ad, currency, ${listOf("day - '1970-01-01'::date")} as days,
     ${listOf('trim_scale(round(cost * 10000, 4))')} as units, ${listOf('coalesce(clicks, 0)')} as clicks,
     ${listOf('coalesce(impressions, 0)')} as impressions
   from (${KNOWN_COSTS}) c
   group by source, campaign, ad_group, ad, currency`,
);

/** The sources that ads ever cost something of, in lower case. */
export const findSourcesOfCosts = statement('analytics.find_sources_of_costs', {
  account_id: 'uuid',
  known_at: 'timestamptz',
}).returns<{ source: string }>(
  `select distinct lower(source) as source from (
     select distinct source from ad_costs where account_id = :account_id and updated_at <= :known_at
     union all
     select distinct source from ad_cost_history where account_id = :account_id and known_at <= :known_at) s`,
);
