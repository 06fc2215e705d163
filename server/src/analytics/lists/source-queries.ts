import { statement } from '../../shared/postgres/statement.ts';
import { pageOf } from '../sql-expressions.ts';

// Statements of timelines and the live view: all read the tables of tracking and conversions.

export interface TimelineRow {
  type: 'session' | 'visit' | 'event' | 'conversion' | 'restatement';
  at: Date;
  /** Orders items of the same time. */
  tie_breaker: string;
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
 * Everything that happened in sessions, and a lead's events without a session, oldest first, after a position. A conversion is
 * placed when it happened, each later report of it when it was received.
 */
export const findTimeline = statement('analytics.find_timeline', {
  account_id: 'uuid',
  session_numbers: 'bigint[]',
  lead_id: 'uuid?',
  after: 'timestamptz?',
  after_tie_breaker: 'text?',
  limit: 'integer',
}).returns<TimelineRow>(
  `select * from (
     select 'session' as type, started_at as at, '0 ' || hash as tie_breaker, null::uuid as id,
       number as session_number, landing_url as url, null::text as title, referrer, null::text as event,
       null::jsonb as properties, null::text as value, null::text as currency, null::timestamptz as received_at,
       null::text as origin, null::jsonb as identifier
     from sessions where account_id = :account_id and number = any(:session_numbers)
     union all
     select 'visit', occurred_at, '1 ' || id, id, session_number, url, title, referrer, null, null, null, null, received_at,
       null, null
     from visits where account_id = :account_id and session_number = any(:session_numbers)
     union all
     select 'event', occurred_at, '2 ' || id, id, session_number, null, null, null, event, properties, null, null,
       received_at, null, null
     from events where account_id = :account_id and session_number = any(:session_numbers)
     union all
     select 'event', occurred_at, '2 ' || id, id, null, null, null, null, event, properties, null, null, received_at, null,
       null
     from events where account_id = :account_id and lead_id = :lead_id and session_number is null
     union all
     select case when r.n = 1 then 'conversion' else 'restatement' end,
       case when r.n = 1 then coalesce(r.created_on, r.received_at) else r.received_at end,
       '3 ' || c.id || lpad(r.n::text, 10, '0'), c.id, c.session_number, null, null, null,
       case when r.n = 1 then coalesce(r.event, 'conversion') else r.event end, r.extra, r.value::text,
       coalesce(r.currency, c.currency), r.received_at, r.origin, r.identifier
     from reported_conversions c
     cross join lateral (
       select *, row_number() over (order by arrival) as n from conversion_revisions r
       where r.account_id = c.account_id and r.conversion_id = c.id and r.withdrawn_version is null
         and r.origin <> 'undo') r
     where c.account_id = :account_id and c.session_number = any(:session_numbers)) t
   where (at, tie_breaker collate "C") > (coalesce(:after, '-infinity'::timestamptz), coalesce(:after_tie_breaker, ''))
   order by at, tie_breaker collate "C" limit :limit`,
);

export const findLatestSessionsOfLead = statement('analytics.find_latest_sessions_of_lead', {
  account_id: 'uuid',
  lead_id: 'uuid?',
  limit: 'integer',
}).returns<{ number: number }>(
  `select t.session_number as number from lead_sessions t
   join sessions s on s.account_id = t.account_id and s.number = t.session_number and s.lead_id = t.lead_id
   where t.account_id = :account_id and t.lead_id = :lead_id order by t.started_at desc limit :limit`,
);

/** Distinct visitors of visits and events since a time, without bots and internal traffic. What happened then was received since. */
export const countLiveVisitors = statement('analytics.count_live_visitors', {
  account_id: 'uuid',
  first_id: 'uuid',
  since: 'timestamptz',
}).returns<{ visitors: number }>(
  `select count(distinct s.visitor_id) as visitors from (
     select session_number from visits
     where account_id = :account_id and id >= :first_id and occurred_at >= :since and not is_bot and not is_internal
     union
     select session_number from events
     where account_id = :account_id and id >= :first_id and occurred_at >= :since and not is_bot and not is_internal
       and session_number is not null) t
   join sessions s on s.account_id = :account_id and s.number = t.session_number`,
);

interface LatestRow {
  type: 'visit' | 'event';
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

/** The latest visits and events, newest first. */
export const findLatest = statement('analytics.find_latest', {
  account_id: 'uuid',
  limit: 'integer',
}).returns<LatestRow>(
  `select t.*, s.source, s.medium, s.campaign, s.country, s.device from (
     (select 'visit' as type, id, occurred_at as at, session_number, ${pageOf('url')} as page, null as event, is_bot,
        is_internal
      from visits where account_id = :account_id order by id desc limit :limit)
     union all
     (select 'event', id, occurred_at, session_number, null, event, is_bot, is_internal
      from events where account_id = :account_id order by id desc limit :limit)) t
   left join sessions s on s.account_id = :account_id and s.number = t.session_number
   order by t.id desc limit :limit`,
);

/** What the conversions of leads are worth, by currency and, after a space, the day of the sale. */
export const findLeadValues = statement('analytics.find_lead_values', {
  account_id: 'uuid',
  leads: 'uuid[]',
  time_zone: 'text',
}).returns<{ lead_id: string; sold_in: string | null; conversions: number; value: string | null }>(
  `select t.lead_id, c.currency || ' ' || (c.created_on at time zone :time_zone)::date as sold_in,
     count(*) filter (where c.value is distinct from 0) as conversions, sum(c.value)::text as value
   from lead_sessions t
   join sessions s on s.account_id = t.account_id and s.number = t.session_number and s.lead_id = t.lead_id
   join reported_conversions c on c.account_id = t.account_id and c.session_number = t.session_number
   where t.account_id = :account_id and t.lead_id = any(:leads)
   group by 1, 2 order by 2`,
);

/** How many pages each session visited, and the time from its first to its last visit in seconds. */
export const findSessionVisits = statement('analytics.find_session_visits', {
  account_id: 'uuid',
  numbers: 'bigint[]',
}).returns<{ number: number; visits: number; seconds: number }>(
  `select n.number, count(*) as visits,
     extract(epoch from date_trunc('second', max(v.occurred_at)) - date_trunc('second', min(v.occurred_at)))::integer
       as seconds
   from unnest(:numbers) n (number)
   join visits v on v.account_id = :account_id and v.session_number = n.number
   group by n.number`,
);
