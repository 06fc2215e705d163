import { plannedStatement, statement } from '../shared/postgres/database.ts';
import type { DescribedSessionRow } from './describe-queries.ts';

export interface ListedSession extends Omit<DescribedSessionRow, 'account_id'> {
  lead_id: string | null;
  email: string | null;
}

const COLUMNS = `s.number, s.hash, s.short_hash, s.visitor_id, s.lead_id, s.started_at, s.last_seen_at, s.landing_url,
  s.referrer, s.source, s.medium, s.campaign, s.term, s.content, s.utm_id, s.click_ids, s.device, s.browser, s.os, s.country,
  s.is_bot, s.is_internal,
  (select email from leads l where l.account_id = s.account_id and l.id = s.lead_id) as email`;

/** What of the filters `$2` to `$10` is null lets everything through; so do times. */
const FITS = `s.account_id = $1 and s.started_at >= coalesce($2, '-infinity'::timestamptz)
  and s.started_at < coalesce($3, 'infinity'::timestamptz)
  and ($4::text is null or s.source = $4) and ($5::text is null or s.medium = $5) and ($6::text is null or s.campaign = $6)
  and ($7::text is null or s.country = $7) and ($8::text is null or s.device = $8)
  and ($9::text is null or s.click_ids ? $9)
  and ($10::boolean or not s.is_bot and not s.is_internal)
  and (s.started_at, s.number) < (coalesce($11, 'infinity'::timestamptz), coalesce($12, 9223372036854775807))`;

const NEWEST = 'order by s.started_at desc, s.number desc limit $13';

/** Newest first. $1 account, from, to, source, medium, campaign, country, device, platform, $10 all, after, $13 limit */
export const listSessions = plannedStatement<ListedSession>(
  `select ${COLUMNS} from sessions s where ${FITS} ${NEWEST}`,
);

/** The same of these sessions ($14) alone. */
export const listSessionsAmong = statement<ListedSession>(
  'tracking.list_sessions_among',
  `select ${COLUMNS} from sessions s where ${FITS} and s.number = any($14::bigint[]) ${NEWEST}`,
);

export const getSession = statement<ListedSession>(
  'tracking.get_session',
  `select ${COLUMNS} from sessions s where s.account_id = $1 and s.number = $2`,
);

/**
 * Numbers of the latest sessions by what a person may know of one: their hash ($2), number ($3), short hash ($4), visitor
 * ($5), click id by digest ($6) or client's id of an event or a visit ($7); at most $8 of each.
 */
export const searchSessions = statement<{ number: number }>(
  'tracking.search_sessions',
  `select number from sessions where account_id = $1 and hash = $2
   union select number from sessions where account_id = $1 and number = $3
   union select number from sessions where account_id = $1 and short_hash = $4
   union (select number from sessions where account_id = $1 and visitor_id = $5 order by started_at desc limit $8)
   union (
     select c.session_number from unnest($6::uuid[]) w (digest)
     join lateral (
       select session_number from click_ids c where c.account_id = $1 and c.digest = w.digest
       order by started_at desc limit $8) c on true)
   union select session_number from events where account_id = $1 and client_event_id = $7 and session_number is not null
   union select session_number from visits where account_id = $1 and client_visit_id = $7`,
);

/** Numbers of the latest sessions of leads. $1 account, $2 leads, $3 at most of each */
export const findSessionsOfLeads = statement<{ number: number }>(
  'tracking.find_sessions_of_leads',
  `select t.session_number as number from unnest($2::uuid[]) w (id)
   join lateral (
     select session_number from lead_sessions t where t.account_id = $1 and t.lead_id = w.id
     order by started_at desc, session_number desc limit $3) t on true
   join sessions s on s.account_id = $1 and s.number = t.session_number and s.lead_id = w.id`,
);

export interface ListedLead {
  id: string;
  email: string;
  first_seen_at: Date;
  last_seen_at: Date;
  first_session: number | null;
  latest_session: number | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  country: string | null;
}

const LEAD = `select l.id, l.email, l.first_seen_at, l.last_seen_at, l.first_session, l.latest_session, s.source, s.medium,
    s.campaign, s.country`;
const FIRST_SESSION = `left join lateral (
    select source, medium, campaign, country from sessions s
    where s.account_id = l.account_id and s.number = l.first_session limit 1) s on true`;

/** Newest first. $1 account, $2 after, $3 limit, first seen from $4 until before $5 */
export const listLeads = statement<ListedLead>(
  'tracking.list_leads',
  `${LEAD} from (
     select * from leads_with_sessions where account_id = $1 and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
       and first_seen_at >= coalesce($4, '-infinity'::timestamptz) and first_seen_at < coalesce($5, 'infinity'::timestamptz)
     order by id desc limit $3) l
   ${FIRST_SESSION} order by l.id desc`,
);

/** Those whose e-mail begins with something, by e-mail. $1 account, $2 from, $3 to, $4 after, $5 limit, first seen from $6 until before $7 */
export const searchLeads = statement<ListedLead>(
  'tracking.search_leads',
  `${LEAD} from (
     select * from leads_with_sessions
     where account_id = $1 and email ~>=~ $2 and email ~<~ $3 and email ~>~ coalesce($4, '')
       and first_seen_at >= coalesce($6, '-infinity'::timestamptz) and first_seen_at < coalesce($7, 'infinity'::timestamptz)
     order by email using ~<~ limit $5) l
   ${FIRST_SESSION} order by l.email using ~<~`,
);

export const getLead = statement<ListedLead>(
  'tracking.get_lead',
  `${LEAD} from leads_with_sessions l ${FIRST_SESSION} where l.account_id = $1 and l.id = $2`,
);
