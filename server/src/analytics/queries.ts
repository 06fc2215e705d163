import { statement } from '../shared/postgres/database.ts';
import { funnelOf, pageOf, text } from './sql-texts.ts';

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
