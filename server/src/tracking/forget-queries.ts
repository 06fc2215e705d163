import { statement } from '../shared/postgres/database.ts';

/** Retention: which accounts keep their data for a time only. */
export const findRetentions = statement<{ account_id: string; retention_days: number }>(
  'tracking.find_retentions',
  'select account_id, retention_days from tracking_settings where retention_days is not null',
);

export const findLead = statement<{ id: string }>(
  'tracking.find_lead',
  'select id from leads where account_id = $1 and email = $2',
);

export const deleteLead = statement('tracking.delete_lead', 'delete from leads where account_id = $1 and id = $2');

/** After the lead's sessions are no longer its own. */
export const forgetLeadSessions = statement(
  'tracking.forget_lead_sessions',
  'delete from lead_sessions where account_id = $1 and lead_id = $2',
);

export interface LeadSessionRow {
  number: number;
  hash: string;
  visitor_id: string;
  started_at: Date;
  click_ids: Record<string, string>;
}

/** $1 account, lead, $3 at most */
export const findLeadSessions = statement<LeadSessionRow>(
  'tracking.find_lead_sessions',
  `select number, hash, visitor_id, started_at, click_ids from sessions
   where account_id = $1 and lead_id = $2
     and number = any(array(select session_number from lead_sessions where account_id = $1 and lead_id = $2))
   order by started_at limit $3`,
);

/** The id some rows further on, where there are so many. $1 account, after, $3 rows */
export const findEventPageEnd = statement<{ id: string }>(
  'tracking.find_event_page_end',
  'select id from events where account_id = $1 and id > $2 order by id offset $3 limit 1',
);

export const findVisitPageEnd = statement<{ id: string }>(
  'tracking.find_visit_page_end',
  'select id from visits where account_id = $1 and id > $2 order by id offset $3 limit 1',
);

/** What is counted and summed up stays of a lead's events and of those of its sessions. $1 account, after, up to, lead, $5 sessions */
export const eraseEvents = statement(
  'tracking.erase_events',
  `update events set
     lead_id = case when lead_id = $4 then null else lead_id end,
     properties = (
       select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(properties)
       where key in ('value', 'currency', 'funnel_id'))
   where account_id = $1 and id > $2 and id <= $3 and (lead_id = $4 or session_number = any($5::bigint[]))`,
);

const withoutQuery = (url: string) => `split_part(split_part(${url}, '?', 1), '#', 1)`;

/** Such a name no page can send: a visitor is never found by it, and it is not erased again. */
const ERASED = 'erased:';
const erasedVisitor = (salt: string) =>
  `case when visitor_id like '${ERASED}%' then visitor_id
   else '${ERASED}' || left(encode(sha256(convert_to(${salt} || visitor_id, 'UTF8')), 'hex'), 22) end`;

/** $1 account, after, up to, $4 sessions, $5 salt */
export const eraseVisits = statement(
  'tracking.erase_visits',
  `update visits set visitor_id = ${erasedVisitor('$5')}, url = ${withoutQuery('url')},
     referrer = ${withoutQuery('referrer')}, title = null
   where account_id = $1 and id > $2 and id <= $3 and session_number = any($4::bigint[])`,
);

/** $1 account, $2 sessions, $3 salt */
export const eraseSessions = statement(
  'tracking.erase_sessions',
  `update sessions set visitor_id = ${erasedVisitor('$3')}, landing_url = ${withoutQuery('landing_url')},
     referrer = ${withoutQuery('referrer')}, click_ids = '{}', lead_id = null
   where account_id = $1 and number = any($2::bigint[])`,
);

/** $1 account, digests, times, $4 sessions */
export const deleteClickIds = statement(
  'tracking.delete_click_ids',
  `delete from click_ids using unnest($2::uuid[], $3::timestamptz[], $4::bigint[]) as gone (digest, at, number)
   where click_ids.account_id = $1 and click_ids.digest = gone.digest and click_ids.started_at = gone.at
     and click_ids.session_number = gone.number`,
);

/** Sessions that were last seen before `$2`, at most `$3`, but for those another process deletes at this moment. */
export const deleteOldSessions = statement<Pick<LeadSessionRow, 'number' | 'started_at' | 'click_ids'>>(
  'tracking.delete_old_sessions',
  `with gone as (
     delete from sessions where account_id = $1 and number in (
       select number from sessions where account_id = $1 and started_at < $2 and last_seen_at < $2
       order by started_at limit $3 for update skip locked)
     returning number, started_at, click_ids, lead_id),
   untied as (
     delete from lead_sessions t using gone
     where t.account_id = $1 and t.lead_id = gone.lead_id and t.started_at = gone.started_at
       and t.session_number = gone.number)
   select number, started_at, click_ids from gone`,
);

/**
 * Visits and events that arrived before the id `$2`, or, late, that happened before `$3`; at most `$4`. What arrived within
 * a day after it happened goes by its arrival, which is the order of the primary key.
 */
const deleteOld = (table: 'visits' | 'events') =>
  statement<{ id: string }>(
    `tracking.delete_old_${table}`,
    `with arrived as (
       select id from ${table} where account_id = $1 and id < $2 order by id limit $4 for update skip locked),
     late as (
       select id from ${table} where account_id = $1 and occurred_at < $3 and received_at - occurred_at > interval '1 day'
       limit $4 for update skip locked)
     delete from ${table} where account_id = $1 and id in (select id from arrived union all select id from late)
     returning id`,
  );
export const deleteOldVisits = deleteOld('visits');
export const deleteOldEvents = deleteOld('events');

/** The id some rows further on, where there are so many. $1 account, after, $3 rows */
export const findLeadPageEnd = statement<{ id: string }>(
  'tracking.find_lead_page_end',
  'select id from leads where account_id = $1 and id > $2 order by id offset $3 limit 1',
);

/** Leads that were last seen before `$4`, so that no event of theirs is left, and have no session. $1 account, after, up to */
export const deleteOldLeads = statement(
  'tracking.delete_old_leads',
  `with gone as (
     delete from leads where account_id = $1 and id > $2 and id <= $3 and last_seen_at < $4
       and not exists (
         select from lead_sessions t where t.account_id = leads.account_id and t.lead_id = leads.id
           and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = leads.id)
     returning id)
   delete from lead_sessions t using gone where t.account_id = $1 and t.lead_id = gone.id`,
);
