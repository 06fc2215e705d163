import { statement } from '../shared/postgres/database.ts';
import { pageOf } from './sql-texts.ts';

export interface TimelineRow {
  kind: 'session' | 'visit' | 'event' | 'conversion' | 'restatement';
  at: Date;
  /** Orders what has the same time. */
  place: string;
  /** Of a visit, an event or a conversion. */
  id: string | null;
  session_number: number | null;
  url: string | null;
  title: string | null;
  referrer: string | null;
  event: string | null;
  properties: Record<string, unknown> | null;
  value: string | null;
  currency: string | null;
  received_at: Date | null;
  origin: 'report' | 'event' | null;
  identifier: Record<string, string | number> | null;
}

/**
 * All that happened in sessions ($2), and events of a lead ($3) that belong to none, oldest first, behind `$4`, `$5`. A
 * conversion stands where it happened, each later report of it where it arrived.
 */
export const findTimeline = statement<TimelineRow>(
  'analytics.find_timeline',
  `select * from (
     select 'session' as kind, started_at as at, '0 ' || lpad(number::text, 20, '0') as place, null::uuid as id,
       number as session_number, landing_url as url, null::text as title, referrer, null::text as event,
       null::jsonb as properties, null::text as value, null::text as currency, null::timestamptz as received_at,
       null::text as origin, null::jsonb as identifier
     from sessions where account_id = $1 and number = any($2::bigint[])
     union all
     select 'visit', occurred_at, '1 ' || id, id, session_number, url, title, referrer, null, null, null, null, received_at,
       null, null
     from visits where account_id = $1 and session_number = any($2::bigint[])
     union all
     select 'event', occurred_at, '2 ' || id, id, session_number, null, null, null, event, properties, null, null,
       received_at, null, null
     from events where account_id = $1 and session_number = any($2::bigint[])
     union all
     select 'event', occurred_at, '2 ' || id, id, null, null, null, null, event, properties, null, null, received_at, null,
       null
     from events where account_id = $1 and lead_id = $3 and session_number is null
     union all
     select case when r.n = 1 then 'conversion' else 'restatement' end,
       case when r.n = 1 then coalesce(r.created_on, r.received_at) else r.received_at end,
       '3 ' || c.id || lpad(r.n::text, 10, '0'), c.id, c.session_number, null, null, null,
       case when r.n = 1 then coalesce(r.event, 'conversion') else r.event end, r.extra, r.value::text, coalesce(r.currency, c.currency),
       r.received_at, r.origin, r.identifier
     from conversions c
     cross join lateral (
       select *, row_number() over (order by arrival) as n from conversion_revisions r
       where r.account_id = c.account_id and r.conversion_id = c.id) r
     where c.account_id = $1 and c.session_number = any($2::bigint[])) t
   where (at, place collate "C") > (coalesce($4, '-infinity'::timestamptz), coalesce($5, ''))
   order by at, place collate "C" limit $6`,
);

/** The latest sessions of a lead. $1 account, $2 lead, $3 at most */
export const findLeadsSessions = statement<{ number: number }>(
  'analytics.find_leads_sessions',
  `select t.session_number as number from lead_sessions t
   join sessions s on s.account_id = t.account_id and s.number = t.session_number and s.lead_id = t.lead_id
   where t.account_id = $1 and t.lead_id = $2 order by t.started_at desc limit $3`,
);

/** Visitors of what has arrived since an id, but for bots and internal traffic. $1 account, $2 id */
export const countLiveVisitors = statement<{ visitors: number }>(
  'analytics.count_live_visitors',
  `select count(distinct s.visitor_id) as visitors from (
     select session_number from visits where account_id = $1 and id >= $2 and not is_bot and not is_internal
     union
     select session_number from events
     where account_id = $1 and id >= $2 and not is_bot and not is_internal and session_number is not null) t
   join sessions s on s.account_id = $1 and s.number = t.session_number`,
);

export interface LiveRow {
  kind: 'visit' | 'event';
  id: string;
  at: Date;
  session_number: number | null;
  page: string | null;
  event: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  country: string | null;
  device: string | null;
  is_bot: boolean;
  is_internal: boolean;
}

/** The latest visits and events, newest first. $1 account, $2 at most */
export const findLatest = statement<LiveRow>(
  'analytics.find_latest',
  `select t.*, s.source, s.medium, s.campaign, s.country, s.device from (
     (select 'visit' as kind, id, occurred_at as at, session_number, ${pageOf('url')} as page, null as event, is_bot, is_internal
      from visits where account_id = $1 order by id desc limit $2)
     union all
     (select 'event', id, occurred_at, session_number, null, event, is_bot, is_internal
      from events where account_id = $1 order by id desc limit $2)) t
   left join sessions s on s.account_id = $1 and s.number = t.session_number
   order by t.id desc limit $2`,
);

export interface UnmatchedCountRow {
  /** null: it was erased. */
  identifier: string | null;
  /** Whether it has the form of one. */
  is_formed: boolean;
  count: number;
  oldest_at: Date;
  latest_at: Date;
}

/** Waiting reports of a time by the name of their identifier. $1 account, from, to, $4 names that take a hash, $5 a short one */
export const countUnmatched = statement<UnmatchedCountRow>(
  'analytics.count_unmatched',
  `select key as identifier, is_formed, count(*), min(received_at) as oldest_at, max(received_at) as latest_at
   from unmatched_conversions u
   left join lateral (
     select key, case
       when key = any($4::text[]) then value ~ '^([0-9A-Za-z]{22}|[0-9]{1,16})$'
       when key = any($5::text[]) then value ~* '^[0-9A-Z]{12}$' and value !~* 'u'
       else true end as is_formed
     from jsonb_each_text(u.identifier)) k on true
   where account_id = $1 and received_at >= $2 and received_at < $3
   group by 1, 2`,
);

/** Kinds of click ids that the latest sessions came with. $1 account, $2 how many sessions */
export const findPlatforms = statement<{ platform: string }>(
  'analytics.find_platforms',
  `select distinct jsonb_object_keys(click_ids) as platform
   from (select click_ids from sessions where account_id = $1 order by started_at desc limit $2) s`,
);
