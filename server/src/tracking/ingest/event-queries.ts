import { areSubscribed } from '../../shared/outbox.ts';
import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';
import { announceIdentified } from './announce-identified.ts';

const EVENTS = rows({
  account_id: 'uuid',
  id: 'uuid',
  client_event_id: 'text?',
  is_trusted: 'boolean',
  event: 'text',
  properties: 'jsonb',
  session_number: 'bigint?',
  lead_id: 'uuid?',
  is_bot: 'boolean',
  is_internal: 'boolean',
  occurred_at: 'timestamptz',
  received_at: 'timestamptz',
});
export type EventRow = RowOf<typeof EVENTS>;

/** Pushes the events `written`, which never change, with one outbox row for each account. */
const PUSH_EVENTS = `insert into outbox (account_id, topic, resources, at)
     select account_id, 'event.recorded', array_agg(id), max(received_at)
     from written where ${areSubscribed('written.account_id', ['event.recorded'])} group by account_id`;

/** Writes events without a client id, whose sessions and leads need no change. */
export const insertEvents = statement('tracking.insert_events', { events: EVENTS }).runs(
  `with written as (
     insert into events (${EVENTS.list}) select * from :events as w
     returning account_id, id, received_at)
   ${PUSH_EVENTS}`,
);

const EVENTS_OF_LEADS = rows({ ...EVENTS.columns, email: 'text?' });
const LEADS = rows({
  account_id: 'uuid',
  email: 'text',
  id: 'uuid',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  name: 'text?',
});
const SESSIONS = rows({
  account_id: 'uuid',
  number: 'bigint',
  seen_at: 'timestamptz',
  lead_id: 'uuid?',
  email: 'text?',
});
export type LeadRow = RowOf<typeof LEADS>;
export type SeenSessionRow = RowOf<typeof SESSIONS>;

/** How many of a visitor's sessions are considered when one is linked to a lead: bounds the work for any visitor id. */
const MAX_VISITOR_SESSIONS = 1_000;

/** Events with a client id, which another process may have recorded meanwhile. Without, a row needs no second look. */
const UNLESS_RECORDED =
  'on conflict (account_id, client_event_id, is_trusted) where client_event_id is not null do nothing';

/**
 * Writes events, the leads that they create or update, and the sessions that they prolong and link to a lead, in one
 * statement. A lead that another process created in the meantime keeps that process's id.
 *
 * A session that is linked to a different lead takes along its visitor's sessions that have no lead, earlier and later
 * ones; a link to another lead is never removed. Leads and sessions are locked in the order of their keys, so that two
 * batches cannot deadlock.
 */
const writing = (name: string, conflict: '' | typeof UNLESS_RECORDED) =>
  statement(name, {
    events: EVENTS_OF_LEADS,
    leads: LEADS,
    sessions: SESSIONS,
    now: 'timestamptz',
  }).returns<{ id: string }>(
    `with led as (
     insert into leads (account_id, email, id, first_seen_at, last_seen_at, name)
     select * from :leads as w
     order by account_id, email
     on conflict (account_id, email) do update set
       first_seen_at = least(leads.first_seen_at, excluded.first_seen_at),
       last_seen_at = greatest(leads.last_seen_at, excluded.last_seen_at),
       name = coalesce(excluded.name, leads.name),
       version = leads.version + 1
     returning account_id, email, id, first_seen_at, last_seen_at, version,
       case version when 1 then 'lead.created' else 'lead.updated' end as topic),
   written as (
     insert into events (${EVENTS.list})
     select w.account_id, w.id, client_event_id, is_trusted, event, properties, session_number, coalesce(led.id, lead_id), is_bot,
       is_internal, occurred_at, received_at
     from :events as w
     left join led on led.account_id = w.account_id and led.email = w.email
     ${conflict}
     returning account_id, id, received_at),
   pushed as (${PUSH_EVENTS}),
   pushed_leads as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select account_id, topic, array_agg(id), array_agg(version),
       json_agg(json_build_object('firstSeenAt', first_seen_at, 'lastSeenAt', last_seen_at))::text, :now
     from led where ${areSubscribed('led.account_id', ['lead.created', 'lead.updated'], 'led.topic')} group by account_id, topic),
   named as materialized (
     select s.*, w.seen_at, nullif(coalesce(led.id, w.lead_id), s.lead_id) as new_lead
     from :sessions as w
     left join led on led.account_id = w.account_id and led.email = w.email
     join lateral (
       select account_id, number, visitor_id, started_at, lead_id from sessions s
       where s.account_id = w.account_id and s.number = w.number
         and (w.seen_at - s.last_seen_at > interval '1 second'
           or coalesce(led.id, w.lead_id, s.lead_id) is distinct from s.lead_id)
       limit 1) s on true),
   others as (
     select o.account_id, o.number, o.started_at, named.new_lead
     from named
     join lateral (
       select account_id, number, started_at, lead_id from sessions s
       where s.account_id = named.account_id and s.visitor_id = named.visitor_id
       order by started_at desc limit ${MAX_VISITOR_SESSIONS}) o on o.lead_id is null and o.number <> named.number
     where named.new_lead is not null and named.visitor_id not like 'erased:%'),
   changes as (
     select distinct on (account_id, number) *
     from (
       select account_id, number, started_at, seen_at, new_lead from named
       union all
       select account_id, number, started_at, null, new_lead from others) w
     order by account_id, number, seen_at nulls last, new_lead),
   locked as (
     -- The start as it is now: an earlier visit may have restated it meanwhile.
     select changes.account_id, changes.number, changes.seen_at, changes.new_lead, s.started_at from changes
     join lateral (
       select started_at from sessions s where s.account_id = changes.account_id and s.number = changes.number
       for no key update) s on true),
   updated as (
     update sessions set
       last_seen_at = greatest(last_seen_at, locked.seen_at),
       lead_id = case when locked.seen_at is null then coalesce(sessions.lead_id, locked.new_lead)
         else coalesce(locked.new_lead, sessions.lead_id) end
     from locked where sessions.account_id = locked.account_id and sessions.number = locked.number),
   linked as (
     insert into lead_sessions (account_id, lead_id, started_at, session_number)
     select account_id, new_lead, started_at, number from locked where new_lead is not null
     on conflict do nothing),
   announced as (
     ${announceIdentified('locked where new_lead is not null')})
   select id from written${conflict === '' ? ' where false' : ''}`,
  );

/** Writes events without a client id. Returns nothing. */
export const writeEvents = writing('tracking.write_events', '');
/** Writes any events. Returns the ids that were written; the other events existed already under their client id. */
export const writeEventsOnce = writing('tracking.write_events_once', UNLESS_RECORDED);
