import { rows, statement } from '../../shared/postgres/statement.ts';

/** The accounts that keep their data for a limited time. */
export const findRetentions = statement('tracking.find_retentions', {}).returns<{
  account_id: string;
  retention_days: number;
}>('select account_id, retention_days from tracking_settings where retention_days is not null');

const LEAD = { account_id: 'uuid', lead: 'uuid' } as const;

export const deleteLead = statement('tracking.delete_lead', LEAD).runs(
  'delete from leads where account_id = :account_id and id = :lead',
);

/** Runs when the lead's sessions no longer refer to it. */
export const deleteLeadSessions = statement('tracking.delete_lead_sessions', LEAD).runs(
  'delete from lead_sessions where account_id = :account_id and lead_id = :lead',
);

export interface LeadSessionRow {
  number: number;
  hash: string;
  visitor_id: string;
  started_at: Date;
  click_ids: Record<string, string>;
}

export const findLeadSessions = statement('tracking.find_lead_sessions', {
  ...LEAD,
  limit: 'integer',
}).returns<LeadSessionRow>(
  `select number, hash, visitor_id, started_at, click_ids from sessions
   where account_id = :account_id and lead_id = :lead
     and number = any(array(
       select session_number from lead_sessions where account_id = :account_id and lead_id = :lead))
   order by started_at limit :limit`,
);

/** The id `rows` rows after an id, if there are that many. */
const findPageEnd = (table: 'events' | 'visits' | 'leads') =>
  statement(`tracking.find_page_end_of_${table}`, { account_id: 'uuid', after: 'uuid', rows: 'integer' }).returns<{
    id: string;
  }>(`select id from ${table} where account_id = :account_id and id > :after order by id offset :rows limit 1`);
export const findEventPageEnd = findPageEnd('events');
export const findVisitPageEnd = findPageEnd('visits');
export const findLeadPageEnd = findPageEnd('leads');

/** No page can send a visitor id with a colon, so an erased visitor is never found again. */
export const ERASED = 'erased:';

const SESSION = 'select number, hash, visitor_id, started_at, click_ids from sessions';

/** The other sessions of the session's visitor, as long as these are not erased. Those of a lead are erased with the lead. */
export const findVisitorSessions = statement('tracking.find_visitor_sessions', {
  account_id: 'uuid',
  number: 'bigint',
  limit: 'integer',
}).returns<LeadSessionRow>(
  `${SESSION}
   where account_id = :account_id and number <> :number and lead_id is null and visitor_id not like '${ERASED}%'
     and visitor_id = (select visitor_id from sessions where account_id = :account_id and number = :number)
   order by started_at limit :limit`,
);

export const findSession = statement('tracking.find_session_to_erase', {
  account_id: 'uuid',
  number: 'bigint',
}).returns<LeadSessionRow>(`${SESSION} where account_id = :account_id and number = :number and lead_id is null`);

/** A session of a visitor, of a lead if there is one. */
export const findSessionOfVisitor = statement('tracking.find_session_of_visitor', {
  account_id: 'uuid',
  visitor_id: 'text',
}).returns<{ number: number; is_lead: boolean }>(
  `select number, lead_id is not null as is_lead from sessions
   where account_id = :account_id and visitor_id = :visitor_id and visitor_id not like '${ERASED}%'
   order by lead_id is not null desc, started_at desc limit 1`,
);

const PAGE = { account_id: 'uuid', after: 'uuid', up_to: 'uuid' } as const;

/**
 * Removes the personal data of a lead's events, of those of its sessions, and of those that a server sent with the ID of one of their visitors. What is counted
 * or summed up remains.
 */
export const eraseEvents = statement('tracking.erase_events', {
  ...PAGE,
  lead: 'uuid?',
  sessions: 'bigint[]',
  visitors: 'text[]',
}).runs(
  `update events set
     lead_id = case when lead_id = :lead then null else lead_id end,
     properties = (
       select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(properties)
       where key in ('value', 'currency', 'funnel_id'))
   where account_id = :account_id and id > :after and id <= :up_to
     and (lead_id = :lead or session_number = any(:sessions)
       or session_number is null and properties ->> 'visitorId' = any(:visitors))`,
);

const withoutQuery = (url: string) => `split_part(split_part(${url}, '?', 1), '#', 1)`;

/** The salt is secret and not kept. Citus refuses what makes bytes of a text in an update, so that SHA-256 is out of reach. */
const ERASED_VISITOR = `case when visitor_id like '${ERASED}%' then visitor_id
   else '${ERASED}' || left(md5(:salt || visitor_id), 22) end`;

export const eraseVisits = statement('tracking.erase_visits', { ...PAGE, sessions: 'bigint[]', salt: 'text' }).runs(
  `update visits set visitor_id = ${ERASED_VISITOR}, url = ${withoutQuery('url')},
     referrer = ${withoutQuery('referrer')}, title = null
   where account_id = :account_id and id > :after and id <= :up_to and session_number = any(:sessions)`,
);

/** The click IDs of sessions as they are now, until the end of the transaction: a visit that arrived late may have changed them. */
export const lockClickIds = statement('tracking.lock_click_ids', {
  account_id: 'uuid',
  sessions: 'bigint[]',
}).returns<Pick<LeadSessionRow, 'number' | 'click_ids'>>(
  `select number, click_ids from sessions where account_id = :account_id and number = any(:sessions) order by number for no key update`,
);

export const eraseSessions = statement('tracking.erase_sessions', {
  account_id: 'uuid',
  sessions: 'bigint[]',
  salt: 'text',
}).runs(
  `update sessions set visitor_id = ${ERASED_VISITOR}, landing_url = ${withoutQuery('landing_url')},
     referrer = ${withoutQuery('referrer')}, click_ids = '{}', lead_id = null
   where account_id = :account_id and number = any(:sessions)`,
);

export const deleteClickIds = statement('tracking.delete_click_ids', {
  account_id: 'uuid',
  click_ids: rows({ digest: 'uuid', session_number: 'bigint' }),
}).runs(
  `delete from click_ids c using :click_ids as w
   where c.account_id = :account_id and c.digest = w.digest and c.session_number = w.session_number`,
);

/** Deletes sessions that were last seen before a time, except those that another process is deleting. */
export const deleteOldSessions = statement('tracking.delete_old_sessions', {
  account_id: 'uuid',
  before: 'timestamptz',
  limit: 'integer',
}).returns<Pick<LeadSessionRow, 'number' | 'click_ids'>>(
  `with deleted as (
     delete from sessions where account_id = :account_id and number in (
       select number from sessions where account_id = :account_id and started_at < :before and last_seen_at < :before
       order by started_at limit :limit for update skip locked)
     returning number, started_at, click_ids, lead_id),
   unlinked as (
     delete from lead_sessions t using deleted
     where t.account_id = :account_id and t.lead_id = deleted.lead_id and t.started_at = deleted.started_at
       and t.session_number = deleted.number)
   select number, click_ids from deleted`,
);

/**
 * Deletes visits or events that arrived before the id `end`, or that arrived late and happened before `before`. A row that
 * arrived within a day goes by its arrival, which is the order of the primary key.
 */
const deleteOld = (table: 'visits' | 'events') =>
  statement(`tracking.delete_old_${table}`, {
    account_id: 'uuid',
    end: 'uuid',
    before: 'timestamptz',
    limit: 'integer',
  }).returns<{ id: string }>(
    `with arrived as (
       select id from ${table} where account_id = :account_id and id < :end order by id limit :limit
       for update skip locked),
     late as (
       select id from ${table}
       where account_id = :account_id and occurred_at < :before and received_at - occurred_at > interval '1 day'
       limit :limit for update skip locked)
     delete from ${table}
     where account_id = :account_id and id in (select id from arrived union all select id from late)
     returning id`,
  );
export const deleteOldVisits = deleteOld('visits');
export const deleteOldEvents = deleteOld('events');

/** Deletes leads without a session that were last seen before a time, so that none of their events is left. */
export const deleteOldLeads = statement('tracking.delete_old_leads', { ...PAGE, before: 'timestamptz' }).runs(
  `with deleted as (
     delete from leads where account_id = :account_id and id > :after and id <= :up_to and last_seen_at < :before
       and not exists (
         select from lead_sessions t where t.account_id = leads.account_id and t.lead_id = leads.id
           and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = leads.id)
     returning id)
   delete from lead_sessions t using deleted where t.account_id = :account_id and t.lead_id = deleted.id`,
);
