import { type ParametersOf, statement } from '../shared/postgres/statement.ts';
import {
  type ArmRow,
  all,
  byKind,
  exposuresOf,
  isOf,
  MAX_SEGMENTS,
  OF_EXPERIMENT,
  outcomeOf,
  READ,
  valuedSql,
} from './source-queries.ts';

// Statements on the tables that the results of large experiments are read from, and what these tables are made of.

const SERIES = { account_id: 'uuid', experiment_id: 'uuid', metric: 'integer' } as const;
export type SeriesKey = ParametersOf<typeof SERIES>;
const OF_SERIES = 'account_id = :account_id and experiment_id = :experiment_id and metric = :metric';

export interface SeriesRow {
  snapshot: string | null;
  xmin: string | null;
  basis: {
    currency?: string | null;
    /** Of the account. */
    exchangeRates?: Record<string, string>;
    /** Those that were used. */
    rates?: Record<string, number>;
    stoppedAt?: number | null;
  };
  refreshed_at: Date | null;
  ahead: string[];
  erased_visitors: string[];
  erased_leads: string[];
}

const SERIES_COLUMNS =
  'snapshot::text, pg_snapshot_xmin(snapshot)::text as xmin, basis, refreshed_at, ahead, erased_visitors, erased_leads';

/** Retention deletes by what leads were found: sums cannot follow that, so that accounts with retention have none. */
const HAS_RETENTION = `exists (
  select from tracking_settings t where t.account_id = :account_id and t.retention_days is not null)`;

export const insertSeries = statement('experiments.insert_series', SERIES).runs(
  `insert into experiment_series (account_id, experiment_id, metric) values (:account_id, :experiment_id, :metric)
   on conflict do nothing`,
);

export const findSeries = statement('experiments.find_series', SERIES).returns<SeriesRow>(
  `select ${SERIES_COLUMNS} from experiment_series where ${OF_SERIES} and not ${HAS_RETENTION}`,
);

const lock = (name: string, how: string) =>
  statement(name, SERIES).returns<SeriesRow>(
    `select ${SERIES_COLUMNS} from experiment_series where ${OF_SERIES} for update${how}`,
  );
/** No row if another process has it. */
export const lockSeries = lock('experiments.lock_series', ' skip locked');
export const waitForSeries = lock('experiments.wait_for_series', '');

export const updateSeries = statement('experiments.update_series', {
  ...SERIES,
  snapshot: 'pg_snapshot',
  basis: 'jsonb',
  refreshed_at: 'timestamptz',
  ahead: 'text[]',
}).runs(
  `update experiment_series set snapshot = :snapshot, basis = :basis, refreshed_at = :refreshed_at, ahead = :ahead where ${OF_SERIES}`,
);

export const clearSeries = statement('experiments.clear_series', SERIES).runs(
  `with visitors as (delete from experiment_visitors where ${OF_SERIES})
   delete from experiment_sums where ${OF_SERIES}`,
);

/** The experiments that have started, with sums or without, of all accounts whose data is kept. */
export const findStarted = statement('experiments.find_started', { has_sums: 'boolean' }).returns<{
  account_id: string;
  id: string;
}>(
  `select account_id, id from experiments e
   where started_at is not null and :has_sums = exists (
     select from experiment_series s where s.account_id = e.account_id and s.experiment_id = e.id)
     and not ${HAS_RETENTION.replace(':account_id', 'e.account_id')}
   order by account_id, id`,
);

export const findSeriesOf = statement('experiments.find_series_of', {
  account_id: 'uuid',
  experiment_id: 'uuid',
}).returns<{ metric: number }>(
  `select metric::int from experiment_series where account_id = :account_id and experiment_id = :experiment_id order by metric`,
);

/** Whether an experiment has more than so many exposures. */
export const hasExposures = statement('experiments.has_exposures', {
  account_id: 'uuid',
  key: 'text',
  more_than: 'integer',
}).returns<{ id: string }>(
  `select id from events e
   where account_id = :account_id and event = 'experiment_exposure' and ${isOf('e')}
   order by account_id, left(properties ->> 'experiment', 65), id offset :more_than limit 1`,
);

const VALUES = 'conversions, revenue, settled_conversions, settled_revenue';
const COLUMNS = `person, variant, is_contaminated, settles_at, ${VALUES}, place`;
const SUMS = `visitors, contaminated, ${VALUES}, settled_sum, settled_squares, sum, squares`.split(', ');

const HOUR = 'floor(extract(epoch from settles_at) / 3600)::int';
/** What a visitor adds to the sums; `sign` takes it back. A cap below 1 is a quantile, which no sum contains. */
const cappedOf = (kind: string, of: string) =>
  `least(${of}${kind === 'revenue' ? 'revenue' : 'conversions'}::numeric, case when :cap::numeric >= 1 then :cap::numeric end)`;

/**
 * Writes visitors, and adds to the sums by how much they differ from what was stored of them.
 * @param before what was stored: a table with the columns of `own`; null: nothing
 */
const storeSql = (kind: string, before: string | null) => `
     own as materialized (
       select md5(person)::uuid as person, variant, is_contaminated, settles_at, conversions::int, revenue,
         settled_conversions::int, settled_revenue, segment as place from valued),
     before as materialized (${before ?? 'select * from own where false'}),
     gone as (
       delete from experiment_visitors v using before b
       where v.account_id = :account_id and v.experiment_id = :experiment_id and v.metric = :metric and v.person = b.person
         and not exists (select from own where own.person = b.person)),
     changed as materialized (select * from own${before === null ? '' : ' except all select * from before'}),
     written as (
       insert into experiment_visitors as v (account_id, experiment_id, metric, ${COLUMNS})
       select :account_id, :experiment_id, :metric, ${COLUMNS} from changed
       on conflict (account_id, experiment_id, metric, person) do update
         set (${COLUMNS}) = row (${COLUMNS.split(', ')
           .map((name) => `excluded.${name}`)
           .join(', ')})),
     difference as (
       select 1 as sign, * from changed
       union all select -1, * from (select * from before except all select * from own) b)
     insert into experiment_sums as s (account_id, experiment_id, metric, variant, hour, ${SUMS.join(', ')})
     select :account_id, :experiment_id, :metric, variant, ${HOUR}, sum(sign), sum(sign * is_contaminated::int),
       ${VALUES.split(', ')
         .map((name) => `sum(sign * ${name})`)
         .join(', ')},
       sum(sign * ${cappedOf(kind, 'settled_')}), sum(sign * ${cappedOf(kind, 'settled_')} ^ 2),
       sum(sign * ${cappedOf(kind, '')}), sum(sign * ${cappedOf(kind, '')} ^ 2)
     from difference group by variant, ${HOUR} order by 4, 5
     on conflict (account_id, experiment_id, metric, variant, hour) do update
       set (${SUMS.join(', ')}) = row (${SUMS.map((name) => `s.${name} + excluded.${name}`).join(', ')})`;

const STORED = { ...READ, ...OF_EXPERIMENT, ...SERIES } as const;
/**
 * The clock of the process that received an event may be ahead. Sales that become known later are looked at again then: clocks are ahead of them too,
 * and the rows of an import say when they became known.
 */
const knownByOf = (kind: string) => (kind === 'events' ? ":known_at::timestamptz + interval '1 hour'" : ':known_at');

/** Stores all visitors of a series that has none. */
export const buildSumsBy = byKind((kind) =>
  statement(`experiments.build_sums_by_${kind}`, STORED).runs(
    `with ${valuedSql({ exposures: exposuresOf('events', all), outcome: outcomeOf(kind), knownBy: knownByOf(kind) })},
     ${storeSql(kind, null)}`,
  ),
);

/** The rows that are found by these keys, each by an index. @param rows the table, after `from` */
const found = (rows: string, keys: string, condition: string) =>
  `(select f.* from ${keys} k cross join lateral (select * ${rows} t where t.account_id = :account_id and ${condition} offset 0) f)`;

/** The exposures of servers of a visitor. */
const BY_VISITOR = `t.event = 'experiment_exposure' and t.session_number is null
     and md5(t.properties ->> 'visitorId') = md5(k.id) and t.properties ->> 'visitorId' = k.id`;

/**
 * Everything that concerns some visitors and leads. The persons are these visitors, and all leads that their sessions ever had: whoever was a part of another
 * person before changes both. A link of a session to a lead is never removed from `lead_sessions`.
 */
const PART = `
     visitor as materialized (select distinct unnest(:visitors::text[]) as id),
     session_of_visitor as materialized (${found('from sessions', 'visitor', 't.visitor_id = k.id').slice(1, -1)}),
     lead as materialized (
       select unnest(:leads::uuid[]) as id
       union select lead_id from session_of_visitor where lead_id is not null
       union select lead_id from ${found('from events', 'session_of_visitor', 't.session_number = k.number')} e where lead_id is not null),
     concerned as materialized (select id as person from visitor union select id::text from lead),
     session_number as materialized (
       select number from session_of_visitor
       union select session_number from ${found('from lead_sessions', 'lead', 't.lead_id = k.id')} l),
     any_visitor as materialized (
       select id from visitor union select visitor_id from ${found('from sessions', 'session_number', 't.number = k.number')} s),
     event as materialized (
       select * from ${found('from events', 'session_number', "t.session_number = k.number and t.event in ('experiment_exposure', :event)")} e
       union all
       select * from ${found('from events', 'lead', "t.lead_id = k.id and t.event in ('experiment_exposure', :event)")} e
       where session_number is null or session_number not in (select number from session_number)
       union all
       select * from ${found('from events', 'any_visitor', BY_VISITOR)} e
       where lead_id is null or lead_id not in (select id from lead)),
     increment as materialized (
       ${found('from analytics_increments', 'session_number', 't.session_number = k.number').slice(1, -1)})`;

/** Stores what is true now of some visitors and leads. */
export const refreshSumsBy = byKind((kind) =>
  statement(`experiments.refresh_sums_by_${kind}`, { ...STORED, visitors: 'text[]', leads: 'uuid[]' }).runs(
    `with ${PART},
     ${valuedSql({
       exposures: exposuresOf('event', all),
       outcome: outcomeOf(kind, kind === 'events' ? 'event' : 'increment'),
       isOne: ' and coalesce(lead, visitor) in (select person from concerned)',
       knownBy: knownByOf(kind),
     })},
     ${storeSql(
       kind,
       `select v.person, v.variant, v.is_contaminated, v.settles_at, ${VALUES.split(', ')
         .map((name) => `v.${name}`)
         .join(', ')}, v.place
        from concerned c cross join lateral (
          select * from experiment_visitors v where ${OF_SERIES} and v.person = md5(c.person)::uuid offset 0) v`,
     )}`,
  ),
);

/** Visitors whose exposure to an experiment is dated after a time. */
export const findAhead = statement('experiments.find_ahead', {
  account_id: 'uuid',
  key: 'text',
  received_after: 'uuid',
  at: 'timestamptz',
}).returns<{ visitor: string }>(
  `select distinct coalesce(s.visitor_id, e.properties ->> 'visitorId') as visitor
   from events e left join sessions s on s.account_id = e.account_id and s.number = e.session_number
   where e.account_id = :account_id and e.event = 'experiment_exposure' and ${isOf('e')}
     and e.id > :received_after and e.occurred_at > :at and coalesce(s.visitor_id, e.properties ->> 'visitorId') is not null`,
);

const isNew = `(account_id = :account_id) is true and inserted_xid >= :xmin
     and not pg_visible_in_snapshot(inserted_xid::text::xid8, :snapshot)`;

/**
 * The visitors and leads with anything that these sums do not contain yet, and, once it has been stopped, the visitors with exposures
 * that came after that.
 */
export const findChanged = statement('experiments.find_changed', {
  account_id: 'uuid',
  snapshot: 'pg_snapshot',
  xmin: 'bigint',
  key: 'text',
  stopped_after: 'uuid?',
  limit: 'integer',
}).returns<{ visitor: string | null; lead: string | null }>(
  `with new_event as materialized (
     select session_number, lead_id, event, properties ->> 'visitorId' as visitor from events where ${isNew}
     union all
     select session_number, lead_id, event, properties ->> 'visitorId' from events e
     where account_id = :account_id and event = 'experiment_exposure' and ${isOf('e')} and id > :stopped_after),
   revised as materialized (select distinct conversion_id as id from conversion_revisions where ${isNew}),
   conversion as materialized (select * from ${found('from conversions', 'revised', 't.id = k.id')} c),
   session_number as materialized (
     select session_number as number from new_event where session_number is not null
     union select session_number from visits where ${isNew}
     union select session_number from conversion where session_number is not null
     -- A report moves the conversion of an event to the session that it names.
     union select session_number from ${found('from events', '(select event_id from conversion where event_id is not null)', 't.client_event_id = k.event_id')} e
       where session_number is not null)
   select distinct visitor_id as visitor, null::uuid as lead
   from ${found('from sessions', 'session_number', 't.number = k.number')} s
   union select visitor, null from new_event where session_number is null and event = 'experiment_exposure' and visitor is not null
   union select null, lead_id from new_event where lead_id is not null
   limit :limit`,
);

/** Visitors with sales that become known after a time. */
export const findSalesAhead = statement('experiments.find_sales_ahead', {
  account_id: 'uuid',
  at: 'timestamptz',
}).returns<{
  visitor: string;
}>(
  `select distinct s.visitor_id as visitor from analytics_increments i
   join sessions s on s.account_id = i.account_id and s.number = i.session_number
   where i.account_id = :account_id and i.known_at > :at`,
);

/** The same of some visitors. */
export const findSalesAheadOf = statement('experiments.find_sales_ahead_of', {
  account_id: 'uuid',
  at: 'timestamptz',
  visitors: 'text[]',
}).returns<{ visitor: string }>(
  `with visitor as materialized (select distinct unnest(:visitors::text[]) as id),
     session as materialized (${found('from sessions', 'visitor', 't.visitor_id = k.id').slice(1, -1)})
   select distinct k.visitor_id as visitor
   from session k cross join lateral (
     select from analytics_increments t where t.account_id = :account_id and t.session_number = k.number and t.known_at > :at limit 1) i`,
);

/**
 * Whether a conversion has been reported again since an import of it was undone. It moves to the session of that report, and whose it was is no longer known.
 */
export const findReplaced = statement('experiments.find_replaced', {
  account_id: 'uuid',
  snapshot: 'pg_snapshot',
  xmin: 'bigint',
}).returns<{ id: string }>(
  `select conversion_id as id from conversion_revisions r
   where ${isNew} and r.origin <> 'undo' and exists (
     select from conversion_revisions u
     where u.account_id = :account_id and u.conversion_id = r.conversion_id and u.origin = 'undo')
   limit 1`,
);

/** What `readArmsBy` reads, from sums, at a time that is not in the past. */
export const readSums = statement('experiments.read_sums', {
  ...SERIES,
  known_at: 'timestamptz',
  kind: 'text',
  cap: 'numeric?',
}).returns<ArmRow>(
  `with now as materialized (
     select floor(extract(epoch from :known_at::timestamptz) / 3600)::int as hour, :cap::numeric < 1 as is_quantile),
   visitor as materialized (
     select v.*, ${HOUR} as hour, (case when :kind = 'revenue' then revenue else conversions end) as value,
       (case when :kind = 'revenue' then settled_revenue else settled_conversions end) as settled_value
     from experiment_visitors v
     where ${OF_SERIES} and settles_at >= to_timestamp((select hour from now) * 3600.0)
       and settles_at < to_timestamp((select hour from now) * 3600.0 + 3600)),
   valued as materialized (
     select v.*, ${HOUR} as hour, (case when :kind = 'revenue' then revenue else conversions end) as value,
       (case when :kind = 'revenue' then settled_revenue else settled_conversions end) as settled_value
     from experiment_visitors v
     where ${OF_SERIES} and (conversions <> 0 or revenue <> 0 or settled_conversions <> 0 or settled_revenue <> 0)
       and (select is_quantile from now)),
   cap as materialized (
     select case when is_quantile then (
         select percentile_disc(:cap::float8) within group (order by settled_value)
         from valued where settled_value > 0 and settles_at <= :known_at) else :cap end as settled,
       case when is_quantile then (
         select percentile_disc(:cap::float8) within group (order by value) from valued where value > 0) else :cap end as to_date
     from now),
   part as (
     select variant, hour < (select hour from now) as is_settled, hour / 24 as day, ${SUMS.join(', ')}
     from experiment_sums where ${OF_SERIES} and hour <> (select hour from now)
     union all
     select variant, settles_at <= :known_at, hour / 24, 1, is_contaminated::int, ${VALUES},
       least(settled_value, cap.settled), least(settled_value, cap.settled) ^ 2, least(value, cap.to_date), least(value, cap.to_date) ^ 2
     from visitor cross join cap),
   quantile as (
     select variant, settles_at <= :known_at as is_settled, hour / 24 as day, sum(least(settled_value, cap.settled)) as settled_sum,
       sum(least(settled_value, cap.settled) ^ 2) as settled_squares, sum(least(value, cap.to_date)) as sum,
       sum(least(value, cap.to_date) ^ 2) as squares
     from valued cross join cap group by 1, 2, 3),
   total as (
     select variant, case when is_settled then day end as day,
       ${SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')}
     from part group by 1, 2 having sum(visitors) <> 0),
   capped as (
     select variant, case when is_settled then day end as day, sum(settled_sum) as settled_sum, sum(settled_squares) as settled_squares,
       sum(sum) as sum, sum(squares) as squares
     from quantile group by 1, 2)
   select t.variant, null::text as segment, t.day, t.visitors::int, t.contaminated::int, t.conversions::int,
     trim_scale(t.revenue)::text as revenue, t.settled_conversions::int, trim_scale(t.settled_revenue)::text as settled_revenue,
     ${['settled_sum', 'settled_squares', 'sum', 'squares']
       .map((name) => `case when now.is_quantile then coalesce(c.${name}, 0) else t.${name} end::float8 as ${name}`)
       .join(', ')}
   from now cross join total t left join capped c on c.variant = t.variant and c.day is not distinct from t.day
   order by 1, 3`,
);

/** Few visitors have values: those are found by an index. */
const HAS_VALUE = '(conversions <> 0 or revenue <> 0 or settled_conversions <> 0 or settled_revenue <> 0)';

/**
 * The same by segments, from the visitors: there are too many values of sessions to have sums of each.
 * @param index of the column in `AUDIENCE`
 */
export const readSegments = statement('experiments.read_segments', {
  ...SERIES,
  known_at: 'timestamptz',
  kind: 'text',
  cap: 'numeric?',
  index: 'integer',
}).returns<ArmRow>(
  `with visitor as not materialized (
     select variant, place ->> :index::integer as segment,
       -- 0.1 µs of each visitor; extract takes 0.25.
       case when settles_at <= :known_at then floor(date_part('epoch', settles_at) / 86400)::int end as day, is_contaminated, ${VALUES},
       case when :kind = 'revenue' then revenue else conversions end as value,
       case when :kind = 'revenue' then settled_revenue else settled_conversions end as settled_value
     from experiment_visitors where ${OF_SERIES}),
   cap as materialized (
     select case when :cap::numeric < 1 then percentile_disc(least(:cap::numeric, 1)::float8) within group (order by settled_value)
           filter (where settled_value > 0 and day is not null) else :cap end as settled,
         case when :cap::numeric < 1 then percentile_disc(least(:cap::numeric, 1)::float8) within group (order by value)
           filter (where value > 0) else :cap end as to_date
     from visitor where ${HAS_VALUE} and :cap::numeric < 1),
   counted as materialized (
     select variant, segment, day, count(*) as visitors, count(*) filter (where is_contaminated) as contaminated
     from visitor group by 1, 2, 3),
   largest as materialized (
     select segment from counted group by segment order by sum(visitors) desc, segment limit ${MAX_SEGMENTS}),
   part as (
     select variant, segment, day, visitors, contaminated, 0 as conversions, 0 as revenue, 0 as settled_conversions, 0 as settled_revenue,
       0 as settled_sum, 0 as settled_squares, 0 as sum, 0 as squares from counted
     union all
     select variant, segment, day, 0, 0, ${VALUES}, least(settled_value, cap.settled), least(settled_value, cap.settled)::float8 ^ 2,
       least(value, cap.to_date), least(value, cap.to_date)::float8 ^ 2
     from visitor cross join cap where ${HAS_VALUE})
   select variant, case when segment in (select segment from largest) then segment end as segment, day,
     sum(visitors)::int as visitors, sum(contaminated)::int as contaminated, sum(conversions)::int as conversions,
     trim_scale(sum(revenue))::text as revenue, sum(settled_conversions)::int as settled_conversions,
     trim_scale(sum(settled_revenue))::text as settled_revenue, sum(settled_sum)::float8 as settled_sum,
     sum(settled_squares) as settled_squares, sum(sum)::float8 as sum, sum(squares) as squares
   from part group by 1, 2, 3 order by 1, 2, 3`,
);

/** Removes the sums of an account. Visitors that a run stores at the same time are removed when the sums are made again. */
export const removeSums = statement('experiments.remove_sums', { account_id: 'uuid' }).runs(
  `with series as (delete from experiment_series where account_id = :account_id),
     visitors as (delete from experiment_visitors where account_id = :account_id)
   delete from experiment_sums where account_id = :account_id`,
);

/** Whom to look at once an erasure is complete. */
export const addErased = statement('experiments.add_erased', {
  account_id: 'uuid',
  visitors: 'text[]',
  leads: 'uuid[]',
}).runs(
  `update experiment_series set erased_visitors = erased_visitors || :visitors, erased_leads = erased_leads || :leads
   where account_id = :account_id`,
);

export const clearErased = statement('experiments.clear_erased', SERIES).runs(
  `update experiment_series set erased_visitors = '{}', erased_leads = '{}' where ${OF_SERIES}`,
);

/** The metrics of an account whose sums contain what was erased. */
export const listErased = statement('experiments.list_erased', { account_id: 'uuid' }).returns<{
  experiment_id: string;
  metric: number;
}>(
  `select experiment_id, metric::int from experiment_series
   where account_id = :account_id and (erased_visitors <> '{}' or erased_leads <> '{}') order by 1, 2`,
);

/** The visitors of sessions and of a lead's events, and all leads that they share sessions and exposures with. */
export const findSharing = statement('experiments.find_sharing', {
  account_id: 'uuid',
  lead: 'uuid?',
  sessions: 'bigint[]',
}).returns<{ visitor: string | null; lead: string | null }>(
  `with visitor as materialized (
     select distinct visitor_id as id from sessions where account_id = :account_id and number in (
       select unnest(:sessions)
       union all select session_number from events where account_id = :account_id and lead_id = :lead)),
   session_of_visitor as materialized (${found('from sessions', 'visitor', 't.visitor_id = k.id').slice(1, -1)})
   select id as visitor, null::uuid as lead from visitor
   union select null, lead_id from session_of_visitor where lead_id is not null
   union select null, lead_id from ${found('from events', 'session_of_visitor', 't.session_number = k.number')} e where lead_id is not null
   union select null, lead_id
   from ${found('from events', 'visitor', BY_VISITOR)} e
   where lead_id is not null`,
);
