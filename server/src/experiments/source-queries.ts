import { rows, statement } from '../shared/postgres/statement.ts';
import { AUDIENCE, type AudienceName, type Metric } from './contract.ts';

// Statements that read the tables of tracking and conversions.

/** Which of these events were ever recorded, as an event or as a conversion. */
export const findRecorded = statement('experiments.find_recorded', {
  account_id: 'uuid',
  names: 'text[]',
}).returns<{ name: string }>(
  `select name from unnest(:names) as name
   where exists (select from conversions c where c.account_id = :account_id and c.event = name)
     or exists (select from events e where e.account_id = :account_id and e.event = name)`,
);

export const findRetention = statement('experiments.find_retention', { account_id: 'uuid' }).returns<{
  retention_days: number | null;
}>('select retention_days from tracking_settings where account_id = :account_id');

/** Everything that is read of visitors and their sales. Times are those of the experiment. */
export const READ = {
  account_id: 'uuid',
  started_at: 'timestamptz',
  /** Exposures that were received later do not count. */
  stopped_at: 'timestamptz',
  known_at: 'timestamptz',
  window_ms: 'bigint',
  settle_ms: 'bigint',
  event: 'text',
  cap: 'numeric?',
  rates: rows({ currency: 'text', day: 'integer', rate: 'numeric' }),
  // By name of a column, the values of sessions that count.
  audience: 'jsonb',
} as const;
/** The column of sessions by which visitors are divided. */
const BY_SEGMENT = { segment: 'text?' } as const;
export const OF_EXPERIMENT = { key: 'text', variants: 'text[]' } as const;

type Segment = (of: (name: AudienceName) => string) => string;

const chosen: Segment = (of) =>
  `case :segment ${AUDIENCE.map((name) => `when '${name}' then coalesce(${of(name)}, '')`).join(' ')} end`;

/** All of them at once, as a JSON array in the order of `AUDIENCE`; of the metric that decides, as no other is divided. */
export const all: Segment = (of) =>
  `case when :metric = 0 then jsonb_build_array(${AUDIENCE.map((name) => `coalesce(${of(name)}, '')`).join(', ')}) end`;

/** Whether a session is of the audience, and in which segment it is. @param of a column of it */
const placeOf = (of: (name: AudienceName) => string, segment: Segment) => `
       ${AUDIENCE.map((name) => `(:audience::jsonb -> '${name}' is null or :audience::jsonb -> '${name}' ? coalesce(${of(name)}, ''))`).join(' and ')} as matches,
       ${segment(of)} as segment`;

/**
 * A person is a lead, or a visitor without one, so that two devices with one email are one person. The first exposure counts, and must be of the audience.
 * Bots and own visits are left out, and so are erased persons: their events no longer name an experiment.
 */
const persons = (exposures: string, isOne: string) => `exposure as not materialized (${exposures}),
   person as materialized (
     select coalesce(lead, visitor) as person, (array_agg(variant order by occurred_at, id))[1] as variant,
       (array_agg(segment order by occurred_at, id))[1] as segment,
       min(occurred_at) as exposed_at, min(variant) <> max(variant) as is_contaminated
     from exposure where coalesce(lead, visitor) not like 'erased:%'${isOne}
     group by 1 having not bool_or(is_bot or is_internal) and (array_agg(matches order by occurred_at, id))[1])`;

/** Whether an event belongs to the experiment `key`; as long as its index. */
export const isOf = (event: string) => `left(${event}.properties ->> 'experiment', 65) = :key`;

/** The session of an exposure, or, of a server, the visitor's at that time, which begins when their page has loaded. */
const ofExposure = (column: string) => `coalesce(s.${column}, p.${column})`;

/** @param events `events`, or a part of them */
export const exposuresOf = (events = 'events', segment = chosen) => `
     select e.occurred_at, e.properties ->> 'variant' as variant, e.id, e.is_bot or coalesce(${ofExposure('is_bot')}, false) as is_bot,
       e.is_internal or coalesce(${ofExposure('is_internal')}, false) as is_internal, ${placeOf(ofExposure, segment)},
       coalesce(e.lead_id, s.lead_id, v.lead_id)::text as lead, coalesce(s.visitor_id, e.properties ->> 'visitorId') as visitor
     from ${events} e
     left join sessions s on s.account_id = e.account_id and s.number = e.session_number
     left join lateral (
       select lead_id from sessions v where e.session_number is null and v.account_id = e.account_id
         and v.visitor_id = e.properties ->> 'visitorId' order by started_at desc limit 1) v on true
     left join lateral (
       select * from sessions p where e.session_number is null and p.account_id = e.account_id
         and p.visitor_id = e.properties ->> 'visitorId' and p.started_at <= e.occurred_at + interval '1 hour'
       order by started_at desc limit 1) p on true
     where e.account_id = :account_id and e.event = 'experiment_exposure' and ${isOf('e')}
       and e.received_at >= :started_at and e.received_at <= :stopped_at and e.occurred_at <= :known_at
       and e.properties ->> 'variant' = any(:variants)`;

/** Before an experiment starts: as if everybody who might take part had been exposed by their first visit. */
const VISITS = `
     select s.started_at as occurred_at, 'all' as variant, s.number as id, s.is_bot, s.is_internal, ${placeOf((name) => `s.${name}`, chosen)},
       s.lead_id::text as lead, s.visitor_id as visitor
     from sessions s
     where s.account_id = :account_id and s.started_at >= :started_at and s.started_at < :stopped_at`;

const SETTLED_AT = `p.exposed_at + (:window_ms + :settle_ms) * interval '1 millisecond'`;

export interface ArmRow {
  variant: string;
  /** One of the largest; null: all others. */
  segment: string | null;
  /** The day on which these visitors settled, since 1970; null: they have not. */
  day: number | null;
  visitors: number;
  contaminated: number;
  conversions: number;
  revenue: string;
  settled_revenue: string;
  settled_conversions: number;
  /** Of the values of the metric, as they were known when the visitors settled, and to date. */
  settled_sum: number;
  settled_squares: number;
  sum: number;
  squares: number;
}

export const MAX_SEGMENTS = 10;

/** What a statement reads: everything, or the part that concerns some persons. */
interface Part {
  exposures: string;
  /** Rows of (person, at, known_at, revenue, conversions). */
  outcome: string;
  /** Further conditions on persons, which begin with `and`. */
  isOne?: string;
  /** SQL: what became known later is left out. */
  knownBy?: string;
}

/** The persons with what they are worth, as the table `valued`. */
export const valuedSql = ({
  exposures,
  outcome,
  isOne = '',
  knownBy = ':known_at',
}: Part) => `${persons(exposures, isOne)},
     rate as materialized (select w.currency, w.day, w.rate from :rates as w),
     outcome as materialized (${outcome}),
     -- Few persons buy, and the others need no grouping.
     sold as materialized (
       select p.person, sum(o.conversions) as conversions, sum(o.revenue) as revenue,
         sum(o.conversions) filter (where o.known_at <= ${SETTLED_AT}) as settled_conversions,
         sum(o.revenue) filter (where o.known_at <= ${SETTLED_AT}) as settled_revenue
       from person p
       join outcome o on o.person = p.person and o.at >= p.exposed_at
         and o.at < p.exposed_at + :window_ms * interval '1 millisecond' and o.known_at <= ${knownBy}
       group by p.person),
     -- Whoever has bought something is a person, so this is a left join; but one that never compares each with each, however few the server expects.
     valued as materialized (
       select p.person, p.variant, p.segment, p.is_contaminated, ${SETTLED_AT} as settles_at,
         coalesce(s.conversions, 0) as conversions, coalesce(s.revenue, 0) as revenue,
         coalesce(s.settled_conversions, 0) as settled_conversions, coalesce(s.settled_revenue, 0) as settled_revenue
       from person p full join sold s on s.person = p.person)`;

/**
 * A cap below 1 is a quantile of the values above 0 of all arms together: one of each arm would differ between arms and make a difference of its own
 * (Kohavi, Tang and Xu, "Trustworthy online controlled experiments", 2020, section 18).
 */
const armsSql = (kind: Metric['kind'], part: Part) => {
  const value = kind === 'revenue' ? 'revenue' : 'conversions';
  return `with ${valuedSql(part)},
     cap as materialized (
       select case when :cap::numeric >= 1 then :cap::numeric else percentile_disc(least(:cap::numeric, 1)::float8) within group (order by settled_${value})
           filter (where settled_${value} > 0 and settles_at <= :known_at) end as settled,
         case when :cap::numeric >= 1 then :cap::numeric else percentile_disc(least(:cap::numeric, 1)::float8) within group (order by ${value})
           filter (where ${value} > 0) end as to_date
       from valued),
     -- Whoever has a publishable key makes as many as they like: the others are summed up.
     largest as materialized (
       select segment from valued where :segment::text is not null group by segment order by count(*) desc, segment limit ${MAX_SEGMENTS})
     select variant, case when segment in (select segment from largest) then segment end as segment,
       case when settles_at <= :known_at then floor(extract(epoch from settles_at) / 86400)::int end as day,
       count(*)::int as visitors, count(*) filter (where is_contaminated)::int as contaminated,
       sum(conversions)::int as conversions, trim_scale(sum(revenue))::text as revenue,
       sum(settled_conversions)::int as settled_conversions, trim_scale(sum(settled_revenue))::text as settled_revenue,
       sum(least(settled_${value}, cap.settled))::float8 as settled_sum,
       sum(least(settled_${value}, cap.settled)::float8 ^ 2) as settled_squares,
       sum(least(${value}, cap.to_date))::float8 as sum, sum(least(${value}, cap.to_date)::float8 ^ 2) as squares
     from valued cross join cap group by 1, 2, 3 order by 1, 2, 3`;
};

const sales = (increments = 'analytics_increments') => `
  select coalesce(s.lead_id::text, s.visitor_id) as person, i.sale_at as at, i.known_at, i.conversions,
    i.value * coalesce(rate.rate, 1) as revenue
  from ${increments} i
  join conversions c on c.account_id = i.account_id and c.id = i.conversion_id and c.event = :event
  join sessions s on s.account_id = i.account_id and s.number = i.session_number
  left join rate on rate.currency = i.currency and rate.day = (i.sale_at at time zone 'UTC')::date - '1970-01-01'::date
  where i.account_id = :account_id and not s.is_bot and not s.is_internal and i.sale_at >= (select min(exposed_at) from person)`;

const events = (events = 'events') => `
  select coalesce(e.lead_id::text, s.lead_id::text, s.visitor_id) as person, e.occurred_at as at, e.received_at as known_at,
    1 as conversions, 0::numeric as revenue
  from ${events} e left join sessions s on s.account_id = e.account_id and s.number = e.session_number
  where e.account_id = :account_id and e.event = :event and not e.is_bot and not e.is_internal
    and e.occurred_at >= (select min(exposed_at) from person)`;

type Kind = Metric['kind'];

/** @param source the increments, or the events, or a part of them */
export const outcomeOf = (kind: Kind, source?: string) => (kind === 'events' ? events(source) : sales(source));

export const byKind = <Made>(make: (kind: Kind) => Made) =>
  ({ revenue: make('revenue'), conversions: make('conversions'), events: make('events') }) satisfies Record<Kind, Made>;

/** The visitors of each variant by the day on which they settled. */
export const readArmsBy = byKind((kind) =>
  statement(`experiments.read_arms_by_${kind}`, { ...READ, ...OF_EXPERIMENT, ...BY_SEGMENT }).returns<ArmRow>(
    armsSql(kind, { exposures: exposuresOf(), outcome: outcomeOf(kind) }),
  ),
);

/** The same of everybody who visited, as one variant. */
export const readHistoryBy = byKind((kind) =>
  statement(`experiments.read_history_by_${kind}`, { ...READ, ...BY_SEGMENT }).returns<ArmRow>(
    armsSql(kind, { exposures: VISITS, outcome: outcomeOf(kind) }),
  ),
);

/** In which currencies, and on which days, something was sold since a time. */
export const findSaleCurrencies = statement('experiments.find_sale_currencies', {
  account_id: 'uuid',
  from: 'timestamptz',
  event: 'text',
  currency: 'text',
}).returns<{ currency: string; day: number }>(
  `select distinct i.currency, (i.sale_at at time zone 'UTC')::date - '1970-01-01'::date as day
   from analytics_increments i
   join conversions c on c.account_id = i.account_id and c.id = i.conversion_id and c.event = :event
   where i.account_id = :account_id and i.currency <> :currency and i.sale_at >= :from`,
);
