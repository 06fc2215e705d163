import { plannedStatement, rows, statement } from '../../shared/postgres/statement.ts';

/** Leads with the numbers of their first and latest session. */
export const findLeadsById = statement('tracking.find_leads_by_id', {
  leads: rows({ account_id: 'uuid', id: 'uuid' }),
}).returns<{ id: string; email: string; first_session: number | null; latest_session: number | null }>(
  `select l.id, l.email, l.first_session, l.latest_session
   from :leads as w
   join lateral (
     select * from leads_with_sessions l where l.account_id = w.account_id and l.id = w.id limit 1) l on true`,
);

export interface LeadListRow {
  id: string;
  email: string;
  name: string | null;
  notes: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
  first_session: number | null;
  latest_session: number | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  country: string | null;
}

const LEAD = `select l.id, l.email, l.name, l.notes, l.first_seen_at, l.last_seen_at, l.first_session, l.latest_session, s.source, s.medium,
    s.campaign, s.country`;
const FIRST_SESSION = `left join lateral (
    select source, medium, campaign, country from sessions s
    where s.account_id = l.account_id and s.number = l.first_session limit 1) s on true`;
const FIRST_SEEN = `first_seen_at >= coalesce(:from, '-infinity'::timestamptz)
       and first_seen_at < coalesce(:to, 'infinity'::timestamptz)`;

const LISTING = { account_id: 'uuid', from: 'timestamptz?', to: 'timestamptz?', limit: 'integer' } as const;

const EMAIL_STARTS = 'email ~>=~ :prefix and email ~<~ :prefix_end';

/** In the order of their creation. */
const listById = (name: string, operator: '<' | '>', order: 'asc' | 'desc') =>
  statement(name, { ...LISTING, after: 'uuid' }).returns<LeadListRow>(
    `${LEAD} from (
       select * from leads_with_sessions
       where account_id = :account_id and id ${operator} :after and ${FIRST_SEEN}
       order by id ${order} limit :limit) l
     ${FIRST_SESSION} order by l.id ${order}`,
  );
export const listNewestLeads = listById('tracking.list_newest_leads', '<', 'desc');
export const listOldestLeads = listById('tracking.list_oldest_leads', '>', 'asc');

/** Those whose email starts with a text, by email. */
const listByEmail = (name: string, after: '~>~' | '~<~', order: '~<~' | '~>~') =>
  statement(name, { ...LISTING, prefix: 'text', prefix_end: 'text', after: 'text' }).returns<LeadListRow>(
    `${LEAD} from (
       select * from leads_with_sessions
       where account_id = :account_id and ${EMAIL_STARTS} and email ${after} :after and ${FIRST_SEEN}
       order by email using ${order} limit :limit) l
     ${FIRST_SESSION} order by l.email using ${order}`,
  );
export const listLeadsByEmail = listByEmail('tracking.list_leads_by_email', '~>~', '~<~');
export const listLeadsByEmailDown = listByEmail('tracking.list_leads_by_email_down', '~<~', '~>~');

const CONTAINS = `(email || ' ' || lower(coalesce(name, ''))) like :pattern`;

/** Those whose email or name contains a text, newest first. Planned for each text: a rare one is found by its trigrams. */
export const searchLeads = plannedStatement({ ...LISTING, pattern: 'text', after: 'uuid' }).returns<LeadListRow>(
  `${LEAD} from (
     select * from leads_with_sessions
     where account_id = :account_id and ${CONTAINS} and id < :after and ${FIRST_SEEN}
     order by id desc limit :limit) l
   ${FIRST_SESSION} order by l.id desc`,
);

export const countLeads = plannedStatement({
  account_id: 'uuid',
  from: 'timestamptz?',
  to: 'timestamptz?',
  pattern: 'text',
}).returns<{ leads: number }>(
  `select count(*) as leads from leads
   where account_id = :account_id and (:pattern = '%' or ${CONTAINS}) and ${FIRST_SEEN}`,
);

export const updateNotes = statement('tracking.update_lead_notes', {
  account_id: 'uuid',
  id: 'uuid',
  notes: 'text?',
}).returns<{ id: string }>('update leads set notes = :notes where account_id = :account_id and id = :id returning id');

export const getLead = statement('tracking.get_lead', { account_id: 'uuid', id: 'uuid' }).returns<LeadListRow>(
  `${LEAD} from leads_with_sessions l ${FIRST_SESSION} where l.account_id = :account_id and l.id = :id`,
);

export const findLeadByEmail = statement('tracking.find_lead_by_email', { account_id: 'uuid', email: 'text' }).returns<{
  id: string;
}>('select id from leads where account_id = :account_id and email = :email');

/** The properties of a lead's latest events, newest first: of its latest sessions, and those without a session. */
export const findLatestProperties = statement('tracking.find_latest_properties', {
  account_id: 'uuid',
  id: 'uuid',
}).returns<{ properties: Record<string, unknown> }>(
  `select properties from (
     (select properties, occurred_at, id from events
      where account_id = :account_id and lead_id = :id and session_number is null order by id desc limit 100)
     union all
     (select e.properties, e.occurred_at, e.id from (
        select t.session_number from lead_sessions t
        join sessions s on s.account_id = t.account_id and s.number = t.session_number and s.lead_id = t.lead_id
        where t.account_id = :account_id and t.lead_id = :id order by t.started_at desc limit 20) latest
      join lateral (
        select * from events e where e.account_id = :account_id and e.session_number = latest.session_number
        order by e.id desc limit 100) e on true)) e
   order by occurred_at desc, id desc limit 500`,
);
