import { statement, type Tx } from '../shared/postgres/database.ts';
import {
  DIMENSIONS as DIMENSION_NAMES,
  type Dimension,
  type Filters,
  type Include,
  MANIFOLD,
  type Period,
} from './dimensions.ts';

/** The page of an address: host and path, without what may differ from visitor to visitor. At most 512 characters. */
export const pageOf = (url: string) =>
  `left(rtrim(regexp_replace(split_part(split_part(${url}, '?', 1), '#', 1), '^[A-Za-z]+://([^/@]*@)?', ''), '/'), 512)`;

/** Texts by which reports tell things apart are cut to what an index takes. Empty: none. */
const text = (value: string, length = 512) => `nullif(left(${value}, ${length}), '')`;
const funnelOf = (event: string) => text(`${event}.properties ->> 'funnel_id'`, 255);

/** Rows that came with transactions which the snapshot of the last pass ($1) did not see, nor any pass before. */
const isNew = `arrived_in >= $2::bigint and not pg_visible_in_snapshot(arrived_in::text::xid8, $1::pg_snapshot)`;

export interface ProgressRow {
  snapshot: string;
  xmin: number;
  /** The snapshot of this transaction. */
  current: string;
  /** Whether transactions have begun since. */
  moved: boolean;
  /** Whether the snapshot is of another server, whose transactions had higher numbers. */
  is_foreign: boolean;
}

/** Where the last pass ended. Nothing where another process is at it. */
export const lockProgress = statement<ProgressRow>(
  'analytics.lock_progress',
  `select snapshot::text, pg_snapshot_xmin(snapshot)::text::bigint as xmin, pg_current_snapshot()::text as current,
     pg_snapshot_xmax(snapshot) <> pg_snapshot_xmax(pg_current_snapshot())
       or pg_snapshot_xmin(snapshot) <> pg_snapshot_xmin(pg_current_snapshot()) as moved,
     pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_foreign
   from analytics_progress for update skip locked`,
);

export const writeProgress = statement(
  'analytics.write_progress',
  'update analytics_progress set snapshot = $1, noted_at = $2',
);

/** Up to when everything is counted. */
export const findProgress = statement<{ noted_at: Date }>(
  'analytics.find_progress',
  'select noted_at from analytics_progress',
);

/**
 * Notes the sessions of visits and events that are new, and counts those events that have no session. $1 snapshot, $2 xmin
 * @returns each session and each lead that they are about
 */
export const noteArrivals = statement<{ account_id: string; session_number: number | null; lead_id: string | null }>(
  'analytics.note_arrivals',
  `with fresh as materialized (
     select account_id, session_number, lead_id, event, ${funnelOf('events')} as funnel, is_bot, is_internal, occurred_at
     from events where ${isNew}),
   loose as (
     insert into analytics_loose_events as l (account_id, at, event, funnel, is_bot, is_internal, events)
     select account_id, date_bin('15 minutes', occurred_at, '2000-01-01Z'), event, coalesce(funnel, ''), is_bot, is_internal,
       count(*)
     from fresh where session_number is null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
     on conflict (account_id, at, event, funnel, is_bot, is_internal) do update set events = l.events + excluded.events),
   arrived as materialized (
     select account_id, session_number from visits where ${isNew}
     union select account_id, session_number from fresh where session_number is not null),
   marked as (
     insert into analytics_changed_sessions (account_id, session_number) select account_id, session_number from arrived
     order by 1, 2 on conflict do nothing)
   select account_id, session_number, null::uuid as lead_id from arrived
   union all
   select distinct account_id, null::bigint, lead_id from fresh where lead_id is not null`,
);

/** Conversions that were made or restated. $1 snapshot, $2 xmin */
export const findNewConversions = statement<{ account_id: string; id: string }>(
  'analytics.find_new_conversions',
  `select distinct account_id, conversion_id as id from conversion_revisions where ${isNew}`,
);

const DIMENSIONS = `session_number, is_bot, is_internal, source, medium, campaign, "landingPage", country, device, platform,
  page, event, funnel`;

/** What reports tell a thing by that belongs to the session of this number: the values of `DIMENSIONS`. */
const dimensionsOf = (account: string, number: string) =>
  `select ${number}, coalesce(s.is_bot, false), coalesce(s.is_internal, false), ${text('s.source')}, ${text('s.medium')},
     ${text('s.campaign')}, ${text(pageOf('s.landing_url'))}, ${text('s.country')}, ${text('s.device')},
     coalesce(array(select jsonb_object_keys(s.click_ids)), '{}'),
     array(select distinct ${text(pageOf('v.url'))} from visits v
       where v.account_id = ${account} and v.session_number = ${number}),
     array(select distinct e.event from events e where e.account_id = ${account} and e.session_number = ${number}),
     array(select distinct ${funnelOf('e')} from events e
       where e.account_id = ${account} and e.session_number = ${number} and ${funnelOf('e')} is not null)
   from (select) one left join sessions s on s.account_id = ${account} and s.number = ${number}`;

const EXCLUDED = DIMENSIONS.split(',').map((name) => `${name} = excluded.${name}`);

/** Counts conversions ($1, $2) anew, and those of sessions ($3, $4). */
export const countConversions = statement(
  'analytics.count_conversions',
  `with wanted as (
     select * from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
     union
     select c.account_id, c.id from unnest($3::uuid[], $4::bigint[]) as w (account_id, number)
     join analytics_conversions c on c.account_id = w.account_id and c.session_number = w.number)
   insert into analytics_conversions (account_id, id, at, value, currency, ${DIMENSIONS})
   select c.account_id, c.id, c.created_on, c.value, c.currency, d.*
   from wanted join conversions c on c.account_id = wanted.account_id and c.id = wanted.id
   cross join lateral (${dimensionsOf('c.account_id', 'c.session_number')}) d
   order by c.account_id, c.id
   on conflict (account_id, id) do update set at = excluded.at, value = excluded.value, currency = excluded.currency,
     ${EXCLUDED}`,
);

/** Counts leads ($1, $2) anew, and those of sessions ($3, $4), then and now; forgets those that are gone. */
export const countLeads = statement(
  'analytics.count_leads',
  `with wanted as materialized (
     select * from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
     union
     select l.account_id, l.id from unnest($3::uuid[], $4::bigint[]) as w (account_id, number)
     join analytics_leads l on l.account_id = w.account_id and l.session_number = w.number
     union
     select s.account_id, s.lead_id from unnest($3::uuid[], $4::bigint[]) as w (account_id, number)
     join sessions s on s.account_id = w.account_id and s.number = w.number where s.lead_id is not null),
   gone as (
     delete from analytics_leads l using wanted
     where l.account_id = wanted.account_id and l.id = wanted.id
       and not exists (select from leads where leads.account_id = l.account_id and leads.id = l.id))
   insert into analytics_leads (account_id, id, at, ${DIMENSIONS})
   select l.account_id, l.id, l.first_seen_at, d.*
   from wanted
   join lateral (
     select * from leads_with_sessions l where l.account_id = wanted.account_id and l.id = wanted.id limit 1) l on true
   cross join lateral (${dimensionsOf('l.account_id', 'l.first_session')}) d
   order by l.account_id, l.id
   on conflict (account_id, id) do update set at = excluded.at, ${EXCLUDED}`,
);

/** Sessions to pack again soon, from `$3` on. $1 account, $2 numbers */
export const markSessions = statement(
  'analytics.mark_sessions',
  `insert into analytics_changed_sessions (account_id, session_number, due_at)
   select $1::uuid, number, $3 from (select distinct unnest($2::bigint[]) as number order by 1) n
   on conflict (account_id, session_number) do update set due_at = excluded.due_at`,
);

/** Notes that something was deleted: what happened before `$2`, or, where it is null, leads. */
export const markDeletions = statement(
  'analytics.mark_deletions',
  `insert into analytics_deletions as d (account_id, before) values ($1, $2)
   on conflict (account_id) do update set before = greatest(d.before, excluded.before)`,
);

export const takeDeletions = statement<{ account_id: string; before: Date | null }>(
  'analytics.take_deletions',
  'delete from analytics_deletions returning account_id, before',
);

/** $1 account, $2 before */
export const markStale = statement(
  'analytics.mark_stale',
  `update analytics_segments set is_stale = true
   where account_id = $1 and (first_at < $2 or first_event_at < $2)`,
);

/**
 * Counts events without a session anew that happened before `$2`. An event goes by its arrival, which its id tells, or by the
 * index of those that arrived over a day late. $3 the first id that can be of none of them that arrived in time
 */
export const countLooseEventsAgain = [
  statement('analytics.forget_loose_events', 'delete from analytics_loose_events where account_id = $1 and at < $2'),
  statement(
    'analytics.count_loose_events',
    `insert into analytics_loose_events (account_id, at, event, funnel, is_bot, is_internal, events)
     select $1::uuid, date_bin('15 minutes', occurred_at, '2000-01-01Z'), event, coalesce(funnel, ''), is_bot, is_internal,
       count(*)
     from (
       select occurred_at, event, ${funnelOf('events')} as funnel, is_bot, is_internal from events
       where account_id = $1 and id < $3 and session_number is null
         and occurred_at < $2 and not received_at - occurred_at > interval '1 day'
       union all
       select occurred_at, event, ${funnelOf('events')}, is_bot, is_internal from events
       where account_id = $1 and occurred_at < $2 and received_at - occurred_at > interval '1 day'
         and session_number is null) e
     group by 2, 3, 4, 5, 6`,
  ),
];

export const findGoneLeads = statement<{ id: string }>(
  'analytics.find_gone_leads',
  `select id from analytics_leads c
   where account_id = $1 and not exists (select from leads l where l.account_id = $1 and l.id = c.id)`,
);

export interface ToPackRow {
  account_id: string;
  segment: number;
}

/**
 * Segments to pack: what is stale or due at `$1`; and of accounts with more than `$2` changed sessions those with most of
 * them, until only half as many are left.
 */
export const findToPack = statement<ToPackRow>(
  'analytics.find_to_pack',
  `with changed as materialized (
     select account_id, session_number / 1024 as segment, count(*) filter (where due_at is null) as sessions,
       coalesce(bool_or(due_at <= $1), false) as is_due
     from analytics_changed_sessions group by 1, 2),
   ranked as (
     select *, sum(sessions) over (partition by account_id) as total,
       coalesce(sum(sessions) over (partition by account_id order by sessions desc, segment
         rows between unbounded preceding and 1 preceding), 0) as before
     from changed)
   select account_id, segment from ranked
   where is_due or sessions > 0 and total > $2::int and before < total - $2::int / 2
   union
   select account_id, segment from analytics_segments where is_stale`,
);

export const lockPacking = statement('analytics.lock_packing', 'select pg_advisory_xact_lock(hashtextextended($1, 0))');

export interface SegmentRow {
  sessions: Buffer;
  visits: Buffer;
  events: Buffer;
  is_stale: boolean;
}

export const lockSegment = statement<SegmentRow>(
  'analytics.lock_segment',
  'select sessions, visits, events, is_stale from analytics_segments where account_id = $1 and segment = $2 for update',
);

/** Sessions that changed since, but for those that are not due yet. $1 account, $2 segment, $3 now */
export const takeChanged = statement<{ session_number: number }>(
  'analytics.take_changed',
  `delete from analytics_changed_sessions
   where account_id = $1 and session_number >= $2::bigint * 1024 and session_number < ($2::bigint + 1) * 1024
     and (due_at is null or due_at <= $3)
   returning session_number`,
);

/** Numbers in a segment that have a session, or visits or events of one. $1 account, $2 segment */
export const findNumbers = statement<{ number: number }>(
  'analytics.find_numbers',
  `select number from sessions where account_id = $1 and number >= $2::bigint * 1024 and number < ($2::bigint + 1) * 1024
   union select session_number from visits
   where account_id = $1 and session_number >= $2::bigint * 1024 and session_number < ($2::bigint + 1) * 1024
   union select session_number from events
   where account_id = $1 and session_number >= $2::bigint * 1024 and session_number < ($2::bigint + 1) * 1024`,
);

/** $1 account, segment, spans ($3 to $6), $7 sessions, visits, events */
export const writeSegment = statement(
  'analytics.write_segment',
  `insert into analytics_segments (account_id, segment, version, first_at, last_at, first_event_at, last_event_at, sessions,
     visits, events)
   values ($1, $2, nextval('analytics_version_seq'), $3, $4, $5, $6, $7, $8, $9)
   on conflict (account_id, segment) do update set version = excluded.version, first_at = excluded.first_at,
     last_at = excluded.last_at, first_event_at = excluded.first_event_at, last_event_at = excluded.last_event_at,
     sessions = excluded.sessions, visits = excluded.visits, events = excluded.events, is_stale = false`,
);

export const deleteSegment = statement(
  'analytics.delete_segment',
  'delete from analytics_segments where account_id = $1 and segment = $2',
);

export interface SessionFactsRow {
  number: number;
  v1: number;
  v2: number;
  started_at: Date;
  is_bot: boolean;
  is_internal: boolean;
  platforms: string[];
  source: string | null;
  medium: string | null;
  campaign: string | null;
  page: string | null;
  country: string | null;
  device: string | null;
}

const digestPart = (from: number) => `('x' || substr(md5(visitor_id), ${from}, 8))::bit(32)::int`;

/** $1 account, $2 numbers */
export const findSessionFacts = statement<SessionFactsRow>(
  'analytics.find_session_facts',
  `select s.number, ${digestPart(1)} as v1, ${digestPart(9)} as v2, started_at, is_bot, is_internal,
     array(select jsonb_object_keys(click_ids)) as platforms, ${text('source')} as source, ${text('medium')} as medium,
     ${text('campaign')} as campaign, ${text(pageOf('landing_url'))} as page, ${text('country')} as country,
     ${text('device')} as device
   from unnest($2::bigint[]) n (number)
   join lateral (select * from sessions s where s.account_id = $1 and s.number = n.number limit 1) s on true
   order by s.number`,
);

export interface ItemFactsRow {
  number: number;
  at: Date;
  is_bot: boolean;
  is_internal: boolean;
  name: string | null;
  funnel: string | null;
}

export const findVisitFacts = statement<ItemFactsRow>(
  'analytics.find_visit_facts',
  `select session_number as number, occurred_at as at, is_bot, is_internal, ${text(pageOf('url'))} as name, null as funnel
   from unnest($2::bigint[]) n (number)
   join lateral (select * from visits v where v.account_id = $1 and v.session_number = n.number offset 0) v on true
   order by session_number, occurred_at, id`,
);

export const findEventFacts = statement<ItemFactsRow>(
  'analytics.find_event_facts',
  `select session_number as number, occurred_at as at, is_bot, is_internal, event as name, ${funnelOf('e')} as funnel
   from unnest($2::bigint[]) n (number)
   join lateral (select * from events e where e.account_id = $1 and e.session_number = n.number offset 0) e on true
   order by session_number, occurred_at, id`,
);

export const findNames = statement<{ id: number; name: string }>(
  'analytics.find_names',
  'select id, name from analytics_names where account_id = $1 and name = any($2::text[])',
);

export const findNamesById = statement<{ id: number; name: string }>(
  'analytics.find_names_by_id',
  'select id, name from analytics_names where account_id = $1 and id = any($2::int[])',
);

/** Pages by pattern, for a step of a funnel. */
export const findPages = statement<{ id: number; name: string }>(
  'analytics.find_pages',
  `select id, name from analytics_names where account_id = $1 and name like $2`,
);

export const addNames = statement(
  'analytics.add_names',
  `insert into analytics_names (account_id, name) select $1::uuid, name from unnest($2::text[]) n (name) order by name
   on conflict do nothing`,
);

/** After a restore into another server: everything is counted from the start. */
export const countAllAgain = [
  statement('analytics.reset_visits', 'update visits set arrived_in = 3 where arrived_in > 3'),
  statement('analytics.reset_events', 'update events set arrived_in = 3 where arrived_in > 3'),
  statement('analytics.reset_revisions', 'update conversion_revisions set arrived_in = 3 where arrived_in > 3'),
  statement(
    'analytics.reset_counts',
    `with s as (delete from analytics_segments), c as (delete from analytics_changed_sessions),
       v as (delete from analytics_conversions), l as (delete from analytics_leads),
       e as (delete from analytics_loose_events)
     update analytics_progress set snapshot = '3:3:'`,
  ),
];

/**
 * The segments with something in a time, $2 to $3; `$4` whether events count. It walks through all of an account's: a
 * thousand for a million sessions.
 */
export const findSegments = statement<{ segment: number; version: number }>(
  'analytics.find_segments',
  `select segment, version from analytics_segments
   where account_id = $1 and (
     first_at < $3 and last_at >= $2 or $4::boolean and first_event_at < $3 and last_event_at >= $2)
   order by segment`,
);

export const findChanged = statement<{ session_number: number }>(
  'analytics.find_changed',
  'select session_number from analytics_changed_sessions where account_id = $1 order by 1',
);

/** Days or times ($1), `$3` earlier by the calendar of the zone `$2`. */
const localTimes = statement<{ at: Date }>(
  'analytics.find_local_times',
  `select case when length(text) = 10 then (text::timestamp - $3::interval) at time zone $2
     else (text::timestamptz at time zone $2 - $3::interval) at time zone $2 end as at
   from unnest($1::text[]) with ordinality t (text, n) order by n`,
);
export const findLocalTimes = (tx: Tx, times: string[], timeZone: string, earlier = '0 days') =>
  localTimes(tx, times, timeZone, earlier);

/**
 * When hours, days, weeks or months of a zone begin, from one before `$1` on, $4 of them. Hours follow one another in real time,
 * so that none is lost or counted twice where clocks are changed. $2 zone, $3 interval
 */
export const findStarts = statement<{ at: Date }>(
  'analytics.find_starts',
  `select case when $3 = 'hour' then (date_trunc($3, local) at time zone $2) + n * interval '1 hour'
     else (date_trunc($3, local) + n * ('1 ' || $3)::interval) at time zone $2 end as at
   from (select $1::timestamptz at time zone $2 as local) t, generate_series(-1, $4::int - 2) n order by n`,
);

const QUOTED: Record<Dimension, string> = {
  ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, `"${name}"`])),
} as never;

/** What is counted of `analytics_conversions` and `analytics_leads`: $1 account, $2 from, $3 to, and a parameter for each filter. */
function counted(filters: Filters, include: Include): { where: string; values: unknown[] } {
  const conditions = ['account_id = $1 and at >= $2 and at < $3'];
  if (!include.bots) conditions.push('not is_bot');
  if (!include.internal) conditions.push('not is_internal');
  const values: unknown[] = [];
  for (const [name, wanted] of Object.entries(filters)) {
    const column = QUOTED[name as Dimension];
    const list = `$${4 + values.push(wanted.filter((value) => value !== null)) - 1}::text[]`;
    const isNone = MANIFOLD.includes(name) ? `${column} = '{}'` : `${column} is null`;
    const isOne = MANIFOLD.includes(name) ? `${column} && ${list}` : `${column} = any(${list})`;
    conditions.push(wanted.includes(null) ? `(${isOne} or ${isNone})` : isOne);
  }
  return { where: conditions.join(' and '), values };
}

export interface Selection {
  accountId: string;
  period: Period;
  filters: Filters;
  include: Include;
}

/** Leads, or conversions of one currency. */
interface OutcomeRow {
  is_lead: boolean;
  count: number;
  currency: string | null;
  revenue: string | null;
}

/** Of a part of the line, from 0. */
export interface PartRow extends OutcomeRow {
  part: number;
}

/** Of those with a value of a dimension. */
export interface ValueRow extends OutcomeRow {
  dimension: Dimension;
  value: string | null;
}

/** Counts leads and conversions. @param groups the sets of columns to group by, besides the currency */
async function count<Row extends OutcomeRow>(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  of: { columns: (parameter: string) => string; from: string; groups: string[] },
  parameters: unknown[] = [],
): Promise<Row[]> {
  const { where, values } = counted(filters, include);
  const columns = of.columns(`$${4 + values.length}`);
  const { from, groups } = of;
  const { rows } = await tx.query<Row>(
    `select ${columns}, true as is_lead, count(*), null::text as currency, null::text as revenue
     from analytics_leads ${from} where ${where} group by grouping sets (${groups.map((each) => `(${each})`)})
     union all
     select ${columns}, false, count(*), currency, sum(value)::text from analytics_conversions ${from} where ${where}
     group by grouping sets (${groups.map((each) => `(${each}, currency)`)})`,
    [accountId, new Date(period.from), new Date(period.to), ...values, ...parameters],
  );
  return rows;
}

/** Leads, conversions and revenue of the parts of a line. @param starts where they begin, in milliseconds */
export const countParts = (tx: Tx, selection: Selection, starts: number[]): Promise<PartRow[]> =>
  count(
    tx,
    selection,
    { columns: (times) => `width_bucket(at, ${times}::timestamptz[]) - 1 as part`, from: '', groups: ['1'] },
    [starts.map((start) => new Date(start))],
  );

/** Leads, conversions and revenue by the values of dimensions: those with one value in one walk, each other in one of its own. */
export async function countValues(tx: Tx, selection: Selection, dimensions: readonly Dimension[]): Promise<ValueRow[]> {
  const single = dimensions.filter((name) => !MANIFOLD.includes(name));
  const walks = dimensions.flatMap((name) => {
    if (!MANIFOLD.includes(name)) return [];
    const values = `case when ${QUOTED[name]} = '{}' then '{null}'::text[] else ${QUOTED[name]} end`;
    const from = `cross join unnest(${values}) v (one)`;
    return [{ columns: () => `'${name}' as dimension, one as value`, from, groups: ['one'] }];
  });
  if (single.length > 0) {
    const chosen = (what: (name: Dimension) => string) =>
      `case ${single.map((name) => `when grouping(${QUOTED[name]}) = 0 then ${what(name)}`).join(' ')} end`;
    const columns = `${chosen((name) => `'${name}'`)} as dimension, ${chosen((name) => QUOTED[name])} as value`;
    walks.push({ columns: () => columns, from: '', groups: single.map((name) => QUOTED[name]) });
  }
  return (await Promise.all(walks.map((walk) => count<ValueRow>(tx, selection, walk)))).flat();
}

/** Events without a session by name or funnel; `event` and `funnel` may be filtered. Whole quarters of an hour. */
export async function countLooseEvents(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  by: 'event' | 'funnel',
): Promise<{ value: string | null; events: number }[]> {
  const isOut = Object.entries(filters).some(
    ([name, values]) => name !== 'event' && name !== 'funnel' && !values.includes(null),
  );
  if (isOut) return [];
  const wanted = (name: 'event' | 'funnel') => filters[name]?.map((value) => value ?? '') ?? null;
  const { rows } = await tx.query<{ value: string | null; events: number }>(
    `select nullif(${by}, '') as value, sum(events)::bigint as events from analytics_loose_events
     where account_id = $1 and at >= $2 and at < $3 and ($4 or not is_bot) and ($5 or not is_internal)
       and ($6::text[] is null or event = any($6)) and ($7::text[] is null or funnel = any($7))
     group by 1`,
    [
      accountId,
      new Date(period.from),
      new Date(period.to),
      include.bots,
      include.internal,
      wanted('event'),
      wanted('funnel'),
    ],
  );
  return rows;
}

export const findSegmentsOfSessions = statement<{ segment: number }>(
  'analytics.find_segments_of_sessions',
  'select distinct number / 1024 as segment from sessions where account_id = $1 order by 1',
);

export const findAllIds = {
  conversions: statement<{ id: string }>(
    'analytics.find_all_conversions',
    'select id from conversions where account_id = $1 order by id',
  ),
  leads: statement<{ id: string }>(
    'analytics.find_all_leads',
    'select id from leads where account_id = $1 order by id',
  ),
};
