import { statement } from '../shared/postgres/database.ts';
import { funnelOf, pageOf, text } from './sql-texts.ts';

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

/**
 * The segments with something in a time, $2 to $3; `$4` whether events count. It walks through all of an account's: a
 * thousand for a million sessions.
 */
export const findSegments = statement<{ segment: number; version: number }>(
  'analytics.find_segments',
  `select segment, version from analytics_segments
   where account_id = $1 and (
     first_at < $3 and last_at >= $2 or $4::boolean and first_event_at < $3 and last_event_at >= $2 or segment = any($5::bigint[]))
   order by segment`,
);

/** $1 account, $2 numbers */
export const findLeadsOf = statement<{ number: number; lead_id: string | null }>(
  'analytics.find_leads_of',
  'select number, lead_id from sessions where account_id = $1 and number = any($2::bigint[])',
);

export const findChanged = statement<{ session_number: number }>(
  'analytics.find_changed',
  'select session_number from analytics_changed_sessions where account_id = $1 order by 1',
);
