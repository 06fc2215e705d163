import { statement } from '../shared/postgres/database.ts';

/**
 * What is told of things to others, by their ids. As in `queries.ts` each row is one probe of an index, whatever the planner
 * believes about sizes.
 */

export interface DescribedEventRow {
  id: string;
  client_event_id: string | null;
  event: string;
  properties: Record<string, unknown>;
  session_number: number | null;
  lead_id: string | null;
  email: string | null;
  is_bot: boolean;
  is_internal: boolean;
  occurred_at: Date;
  received_at: Date;
}

/** $1 accounts, $2 ids */
export const describeEventRows = statement<DescribedEventRow>(
  'tracking.describe_events',
  `select e.id, e.client_event_id, e.event, e.properties, e.session_number, l.id as lead_id, l.email, e.is_bot,
     e.is_internal, e.occurred_at, e.received_at
   from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
   join lateral (select * from events e where e.account_id = w.account_id and e.id = w.id limit 1) e on true
   left join lateral (
     select id, email from leads l where l.account_id = w.account_id and l.id = e.lead_id limit 1) l on true`,
);

export interface DescribedLeadRow {
  id: string;
  email: string;
  first_session: number | null;
  latest_session: number | null;
}

/** $1 accounts, $2 ids */
export const describeLeadRows = statement<DescribedLeadRow>(
  'tracking.describe_leads',
  `select l.id, l.email, l.first_session, l.latest_session
   from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
   join lateral (
     select * from leads_with_sessions l where l.account_id = w.account_id and l.id = w.id limit 1) l on true`,
);

export interface DescribedSessionRow {
  account_id: string;
  number: number;
  hash: string;
  short_hash: string;
  visitor_id: string;
  started_at: Date;
  last_seen_at: Date;
  landing_url: string;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utm_id: string | null;
  click_ids: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  is_bot: boolean;
  is_internal: boolean;
}

/** $1 accounts, $2 numbers */
export const describeSessionRows = statement<DescribedSessionRow>(
  'tracking.describe_sessions',
  `select s.account_id, s.number, s.hash, s.short_hash, s.visitor_id, s.started_at, s.last_seen_at, s.landing_url,
     s.referrer, s.source, s.medium, s.campaign, s.term, s.content, s.utm_id, s.click_ids, s.device, s.browser, s.os,
     s.country, s.is_bot, s.is_internal
   from unnest($1::uuid[], $2::bigint[]) as w (account_id, number)
   join lateral (select * from sessions s where s.account_id = w.account_id and s.number = w.number limit 1) s on true`,
);
