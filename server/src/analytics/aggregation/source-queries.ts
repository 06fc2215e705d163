import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { SINGLE_VALUED } from '../dimensions.ts';
import { exitPageOf, funnelOf, pageOf, sessionTexts, textOf } from '../sql-expressions.ts';

// Statements that read the tables of tracking and conversions.

/** Where the previous aggregation run ended. */
const SINCE = { snapshot: 'pg_snapshot', xmin: 'bigint' } as const;

/** Rows of transactions that no aggregation run has seen. `xmin` lets the BRIN index skip older rows. */
const isNew = 'inserted_xid >= :xmin and not pg_visible_in_snapshot(inserted_xid::text::xid8, :snapshot)';

const quarterOf = (time: string) => `date_bin('15 minutes', ${time}, '2000-01-01Z')`;

/**
 * Some ids of an account, separated by commas. After a busy while there are hundreds of thousands of new ones: a row for each would take ten times
 * the memory, and one row for all of them large buffers.
 */
export interface IdList {
  account_id: string;
  ids: string;
}

/**
 * Records the sessions of new visits and events as changed and counts the new events without a session.
 * @returns each session (as a number) and each lead with something new
 */
export const recordNewRows = statement('analytics.record_new_rows', SINCE).returns<
  IdList & { type: 'session' | 'lead' }
>(
  `with new_events as materialized (
     select account_id, session_number, lead_id, event, ${funnelOf('events')} as funnel, is_bot, is_internal, occurred_at
     from events where ${isNew}),
   sessionless as (
     insert into analytics_sessionless_events as s (account_id, at, event, funnel, is_bot, is_internal, events)
     select account_id, ${quarterOf('occurred_at')}, event, coalesce(funnel, ''), is_bot, is_internal, count(*)
     from new_events where session_number is null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
     on conflict (account_id, at, event, funnel, is_bot, is_internal) do update set events = s.events + excluded.events),
   changed as materialized (
     select account_id, session_number from visits where ${isNew}
     union select account_id, session_number from new_events where session_number is not null),
   recorded as (
     insert into analytics_changed_sessions (account_id, session_number) select account_id, session_number from changed
     order by 1, 2 on conflict do nothing)
   select account_id, 'session' as type, string_agg(session_number::text, ',') as ids from changed
   group by account_id, session_number % 16
   union all
   select account_id, 'lead', string_agg(distinct lead_id::text, ',') from new_events where lead_id is not null
   group by account_id, right(lead_id::text, 1)`,
);

/** Whether a server reported a conversion of the session `s`, or recorded a visit of it with a secret token. */
const IS_SERVER = `(
     exists (
       select from conversions c where c.account_id = s.account_id and c.session_number = s.number and c.is_trusted)
     or exists (select from visits v where v.account_id = s.account_id and v.session_number = s.number and v.is_trusted))`;

/**
 * Notes the sessions of new conversions and visits of servers that are flagged as bots, and those that turned out to start with the visit of a bot although
 * another one is none: they may have been cleared before.
 */
export const recordBotChecks = statement('analytics.record_bot_checks', SINCE).runs(
  `insert into analytics_bot_checks (account_id, from_number, to_number)
   select w.account_id, w.number, w.number
   from (
     select c.account_id, c.session_number as number
     from (select distinct account_id, conversion_id from conversion_revisions where ${isNew}) r
     join lateral (
       select * from conversions c where c.account_id = r.account_id and c.id = r.conversion_id and c.is_trusted limit 1) c on true
     where c.session_number is not null
     union
     select account_id, session_number from visits where ${isNew} and is_trusted
     union
     select v.account_id, v.session_number
     from (select account_id, session_number, occurred_at from visits where ${isNew} and is_bot) v
     join lateral (
       select from sessions s
       where s.account_id = v.account_id and s.number = v.session_number and s.started_at = v.occurred_at limit 1) s on true
     where exists (
       select from visits o where o.account_id = v.account_id and o.session_number = v.session_number and not o.is_bot)) w
   join lateral (
     select from sessions s where s.account_id = w.account_id and s.number = w.number and s.is_bot limit 1) s on true
   order by 1, 2 on conflict do nothing`,
);

/** Bots among the sessions from one number to another, in their order, and whether a server says that they are none. */
export const findServerSessions = statement('analytics.find_server_sessions', {
  account_id: 'uuid',
  from_number: 'bigint',
  to_number: 'text',
  limit: 'integer',
}).returns<{ number: number; is_server: boolean }>(
  `select number, is_bot and ${IS_SERVER} as is_server
   from (
     select * from sessions where account_id = :account_id and number >= :from_number and number <= :to_number::bigint
     order by number limit :limit) s
   order by number`,
);

export const findNewConversions = statement('analytics.find_new_conversions', SINCE).returns<IdList>(
  `select account_id, string_agg(distinct conversion_id::text, ',') as ids from conversion_revisions where ${isNew}
   group by account_id, right(conversion_id::text, 1)`,
);

const TEXTS = Object.values(SINGLE_VALUED).filter((name) => name !== 'exit_page');
const LISTS = ['platform', 'page', 'event', 'funnel'];
const SINGLE = ['session_number', 'is_bot', 'is_internal', ...TEXTS, 'exit_page'];
/** What is known of a session, and the columns of its conversions and leads, which refer to lists by their keys. */
const VALUES = [...SINGLE, ...LISTS].join(', ');
const COLUMNS = [...SINGLE, ...LISTS.map((name) => `${name}_list`)];

/** The key of a list: what a visitor's digest is of a visitor. */
const keyOf = (list: string) =>
  `case when ${list} = '{}' then 0 else ('x' || left(md5(${list}::text), 16))::bit(64)::bigint end`;
const columnsFrom = (row: string) =>
  [...SINGLE.map((name) => `${row}.${name}`), ...LISTS.map((name) => keyOf(`${row}.${name}`))].join(', ');

/** Adds the lists of these rows. Most are known, and are not written again. */
const addLists = (table: string) =>
  `insert into analytics_lists (account_id, key, list)
   select distinct on (1, 2) account_id, ${keyOf('list')}, list
   from ${table} cross join lateral (values ${LISTS.map((name) => `(${name})`).join(', ')}) l (list)
   where list <> '{}' order by 1, 2
   on conflict do nothing`;

/** The `VALUES` of a session. */
const columnsOf = (account: string, number: string) =>
  `select ${number}, coalesce(s.is_bot, false), coalesce(s.is_internal, false), ${TEXTS.map((name) => `t.${name}`).join(', ')},
     case when s.number is not null then ${exitPageOf(account, number)} end,
     coalesce(array(select jsonb_object_keys(s.click_ids)), '{}'),
     array(select distinct ${textOf(pageOf('v.url'))} from visits v
       where v.account_id = ${account} and v.session_number = ${number} order by 1),
     array(select distinct e.event from events e where e.account_id = ${account} and e.session_number = ${number} order by 1),
     array(select distinct ${funnelOf('e')} from events e
       where e.account_id = ${account} and e.session_number = ${number} and ${funnelOf('e')} is not null order by 1)
   from (select) one left join sessions s on s.account_id = ${account} and s.number = ${number}
   cross join lateral (select ${sessionTexts('s')}) t`;

/** Replaces a row by a new one that differs: mostly a session has another visit, and the dimensions of its outcomes stay as they are. */
const replaceBy = (table: string, own: readonly string[]) => {
  const names = [...own, ...COLUMNS];
  return `on conflict (account_id, id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
   where (${names.map((name) => `${table}.${name}`).join(', ')}) is distinct from (${names.map((name) => `excluded.${name}`).join(', ')})`;
};

const BY_ID = rows({ account_id: 'uuid', id: 'uuid' });
const BY_SESSION = rows({ account_id: 'uuid', number: 'bigint' });

/**
 * Copies conversions with the dimensions of their session: those named, and those of sessions that changed. Removes withdrawn ones.
 * Each session is read once, since one may have many conversions and many events.
 */
export const aggregateConversions = statement('analytics.aggregate_conversions', {
  conversions: BY_ID,
  sessions: BY_SESSION,
}).runs(
  `with affected as materialized (
     select account_id, id from :conversions as w
     union
     select c.account_id, c.id from :sessions as w
     join analytics_conversions c on c.account_id = w.account_id and c.session_number = w.number),
   deleted as (
     delete from analytics_conversions a using affected
     join conversions c on c.account_id = affected.account_id and c.id = affected.id and c.withdrawn_at is not null
     where a.account_id = affected.account_id and a.id = affected.id),
   by_session as materialized (
     select c.account_id, c.session_number as of_session, array_agg(c.id) as ids
     from affected join reported_conversions c on c.account_id = affected.account_id and c.id = affected.id
     group by c.account_id, c.session_number),
   in_session as materialized (
     select b.account_id, b.ids,
       (select started_at from sessions s where s.account_id = b.account_id and s.number = b.of_session) as started_at, d.*
     from by_session b cross join lateral (${columnsOf('b.account_id', 'b.of_session')}) d (${VALUES})),
   listed as (${addLists('in_session')}),
   aggregated as materialized (
     select c.account_id, c.id, c.created_on, c.value, c.currency,
       c.value is not distinct from 0 and exists (
         select from conversion_revisions r
         where r.account_id = c.account_id and r.conversion_id = c.id and r.value <> 0
           and r.withdrawn_version is null) as is_refunded,
       s.started_at, ${columnsFrom('s')}
     from in_session s cross join unnest(s.ids) as w (conversion_id)
     join lateral (
       select * from reported_conversions c where c.account_id = s.account_id and c.id = w.conversion_id limit 1) c on true
     order by c.account_id, c.id)
   insert into analytics_conversions (account_id, id, at, value, currency, is_refunded, session_started_at, ${COLUMNS})
   select * from aggregated
   ${replaceBy('analytics_conversions', ['at', 'value', 'currency', 'is_refunded', 'session_started_at'])}`,
);

/** Copies leads with the dimensions of their first session: those named, and the former and current ones of sessions. Removes deleted leads. */
export const aggregateLeads = statement('analytics.aggregate_leads', { leads: BY_ID, sessions: BY_SESSION }).runs(
  `with affected as materialized (
     select account_id, id from :leads as w
     union
     select l.account_id, l.id from :sessions as w
     join analytics_leads l on l.account_id = w.account_id and l.session_number = w.number
     union
     select s.account_id, s.lead_id from :sessions as w
     join sessions s on s.account_id = w.account_id and s.number = w.number where s.lead_id is not null),
   deleted as (
     delete from analytics_leads l using affected
     where l.account_id = affected.account_id and l.id = affected.id
       and not exists (select from leads where leads.account_id = l.account_id and leads.id = l.id)),
   aggregated as materialized (
     select l.account_id, l.id, l.first_seen_at, d.*
     from affected
     join lateral (
       select * from leads_with_sessions l where l.account_id = affected.account_id and l.id = affected.id limit 1) l on true
     cross join lateral (${columnsOf('l.account_id', 'l.first_session')}) d (${VALUES})
     order by l.account_id, l.id),
   listed as (${addLists('aggregated')})
   insert into analytics_leads (account_id, id, at, ${COLUMNS})
   select account_id, id, first_seen_at, ${columnsFrom('a')} from aggregated a
   ${replaceBy('analytics_leads', ['at'])}`,
);

/**
 * Counts the events without a session that happened before a time. Events that were received within a day are found by their
 * id, the others by their index.
 * @param first_id all events that happened before the time and were received within a day have an id before this
 */
export const countSessionlessEvents = statement('analytics.count_sessionless_events', {
  account_id: 'uuid',
  before: 'timestamptz',
  first_id: 'uuid',
}).runs(
  `insert into analytics_sessionless_events (account_id, at, event, funnel, is_bot, is_internal, events)
   select :account_id, ${quarterOf('occurred_at')}, event, coalesce(funnel, ''), is_bot, is_internal, count(*)
   from (
     select occurred_at, event, ${funnelOf('events')} as funnel, is_bot, is_internal from events
     where account_id = :account_id and id < :first_id and session_number is null
       and occurred_at < :before and not received_at - occurred_at > interval '1 day'
     union all
     select occurred_at, event, ${funnelOf('events')}, is_bot, is_internal from events
     where account_id = :account_id and occurred_at < :before and received_at - occurred_at > interval '1 day'
       and session_number is null) e
   group by 2, 3, 4, 5, 6`,
);

export const findDeletedLeads = statement('analytics.find_deleted_leads', { account_id: 'uuid' }).returns<{
  account_id: string;
  id: string;
}>(
  `select account_id, id from analytics_leads c
   where account_id = :account_id
     and not exists (select from leads l where l.account_id = :account_id and l.id = c.id)`,
);

/** The tables whose rows are aggregated once, by the transaction that inserted them. */
const AGGREGATED_TABLES = ['visits', 'events', 'conversion_revisions'];

/**
 * Columns that contain transaction ids, which mean nothing to another server, and what a backup contains instead: 0 for rows
 * that are aggregated, 3 for new ones, and a progress that sees the former alone. Each is a SQL expression.
 */
export async function portableColumns(tx: Tx): Promise<Record<string, string>> {
  const { rows } = await tx.query<{ snapshot: string }>('select snapshot::text from analytics_progress');
  const snapshot = rows[0]?.snapshot ?? '3:3:';
  const portable = `case when pg_visible_in_snapshot(inserted_xid::text::xid8, '${snapshot}') then 0 else 3 end`;
  return {
    'analytics_progress.snapshot': "'3:3:'",
    ...Object.fromEntries(AGGREGATED_TABLES.map((table) => [`${table}.inserted_xid`, portable])),
  };
}

/** SQL: whether no aggregation run has seen a row of these tables. */
export async function newRowsCondition(tx: Tx): Promise<string> {
  const { rows } = await tx.query<{ snapshot: string; xmin: string }>(
    'select snapshot::text, pg_snapshot_xmin(snapshot)::text as xmin from analytics_progress',
  );
  const [{ snapshot, xmin } = { snapshot: '3:3:', xmin: '3' }] = rows;
  return `inserted_xid >= ${xmin} and not pg_visible_in_snapshot(inserted_xid::text::xid8, '${snapshot}')`;
}

/** Makes all rows count as new, after a restore into a server whose transaction ids are lower. */
export const resetInsertedIds = AGGREGATED_TABLES.map((table) =>
  statement(`analytics.reset_${table}`, {}).runs(`update ${table} set inserted_xid = 3 where inserted_xid > 3`),
);

export const findSegmentsOfAccount = statement('analytics.find_segments_of_account', { account_id: 'uuid' }).returns<{
  segment: number;
}>('select distinct number / 1024 as segment from sessions where account_id = :account_id order by 1');

const findIds = (table: 'conversions' | 'leads') =>
  statement(`analytics.find_all_${table}`, { account_id: 'uuid' }).returns<{ account_id: string; id: string }>(
    `select account_id, id from ${table} where account_id = :account_id order by id`,
  );
export const findAllConversions = findIds('conversions');
export const findAllLeads = findIds('leads');
