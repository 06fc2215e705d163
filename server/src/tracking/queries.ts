import { isSubscribed } from '../shared/outbox.ts';
import { statement } from '../shared/postgres/database.ts';

/**
 * Each branch probes its index once for each key: `lateral … limit 1` leaves the planner no other way, whatever it
 * believes about sizes.
 */
const SESSION_LOOK_UP = `
   select 'hash' as kind, w.account_id, w.value, s.number, s.started_at, null::uuid as id, null::timestamptz as seen_at
     from unnest($1::uuid[], $2::text[]) as w (account_id, value)
     join lateral (
       select number, started_at from sessions s where s.account_id = w.account_id and s.hash = w.value limit 1) s on true
   union all
   select 'number', w.account_id, w.value::text, s.number, s.started_at, null, null
     from unnest($3::uuid[], $4::bigint[]) as w (account_id, value)
     join lateral (
       select number, started_at from sessions s where s.account_id = w.account_id and s.number = w.value limit 1) s on true
   union all
   select 'short', w.account_id, w.value, s.number, s.started_at, null, null
     from unnest($5::uuid[], $6::text[]) as w (account_id, value)
     join lateral (
       select number, started_at from sessions s where s.account_id = w.account_id and s.short_hash = w.value
       order by started_at, number limit 1) s on true
   union all
   select 'click', w.account_id, w.value::text, c.session_number, c.started_at, null, null
     from unnest($7::uuid[], $8::uuid[]) as w (account_id, value)
     join lateral (
       select session_number, started_at from click_ids c where c.account_id = w.account_id and c.digest = w.value
       order by started_at, session_number limit 1) c on true`;

export interface FoundRow {
  kind: 'hash' | 'number' | 'short' | 'click' | 'event' | 'lead';
  account_id: string;
  value: string;
  /** Of the session; of a lead, its latest session's. */
  number: number | null;
  /** When that session began. */
  started_at: Date | null;
  /** Of the event or the lead. */
  id: string | null;
  /** When the lead was last seen. */
  seen_at: Date | null;
}

export const findSessionNumbers = statement<FoundRow>('tracking.find_session_numbers', SESSION_LOOK_UP);

/** Sessions, and with them events by their client's id ($9, $10) and leads by e-mail ($11, $12). */
export const findForEvents = statement<FoundRow>(
  'tracking.find_for_events',
  `${SESSION_LOOK_UP}
   union all
   select 'event', w.account_id, w.value, null, null, e.id, null
     from unnest($9::uuid[], $10::text[]) as w (account_id, value)
     join lateral (
       select id from events e where e.account_id = w.account_id and e.client_event_id = w.value limit 1) e on true
   union all
   select 'lead', w.account_id, w.value, s.number, s.started_at, l.id, l.last_seen_at
     from unnest($11::uuid[], $12::text[]) as w (account_id, value)
     join lateral (
       select id, last_seen_at from leads l where l.account_id = w.account_id and l.email = w.value limit 1) l on true
     left join lateral (
       select session_number as number, started_at from lead_sessions t
       where t.account_id = w.account_id and t.lead_id = l.id
         and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = l.id
       order by started_at desc, session_number desc limit 1) s on true`,
);

/** Numbers for sessions, drawn in blocks: a visit waits for no round trip to get one. */
export const drawSessionNumbers = statement<{ number: number }>(
  'tracking.draw_session_numbers',
  `select nextval('session_number_seq') as number from generate_series(1, $1::int)`,
);

/** One visitor's visits decide one after another, whatever process they reach. Taken in order, so that none waits in a circle. */
export const lockVisitors = statement(
  'tracking.lock_visitors',
  `select pg_advisory_xact_lock(key) from (select distinct unnest($1::bigint[]) as key order by key) keys`,
);

export interface SessionRow {
  account_id: string;
  number: number;
  hash: string;
  visitor_id: string;
  started_at: Date;
  last_seen_at: Date;
  landing_url: string;
  /** The page's id of the visit that was asked for, where it was. */
  visit_id: string | null;
}

const SESSION = 's.account_id, s.number, s.hash, s.visitor_id, s.started_at, s.last_seen_at, s.landing_url';

/**
 * The sessions named by hash ($1, $2), the latest session of each visitor that began by a time ($3 to $5), and the sessions
 * of visits that were recorded before ($6, $7: by the page's own id).
 */
export const findCurrentSessions = statement<SessionRow>(
  'tracking.find_current_sessions',
  `select ${SESSION}, null as visit_id
     from unnest($1::uuid[], $2::text[]) as w (account_id, hash)
     join lateral (select * from sessions s where s.account_id = w.account_id and s.hash = w.hash limit 1) s on true
   union all
   select ${SESSION}, null
     from unnest($3::uuid[], $4::text[], $5::timestamptz[]) as w (account_id, visitor_id, before)
     join lateral (
       select * from sessions s
       where s.account_id = w.account_id and s.visitor_id = w.visitor_id and s.started_at <= w.before
       order by started_at desc limit 1) s on true
   union all
   select ${SESSION}, w.visit_id
     from unnest($6::uuid[], $7::text[]) as w (account_id, visit_id)
     join lateral (
       select session_number from visits v where v.account_id = w.account_id and v.client_visit_id = w.visit_id limit 1
     ) v on true
     join lateral (
       select * from sessions s where s.account_id = w.account_id and s.number = v.session_number limit 1) s on true`,
);

/**
 * Writes new sessions ($1 to $22) with their click ids ($23 to $26), touches known ones ($27 to $29) and writes the visits
 * ($30 on), in one statement. A new session has the lead of its visitor's latest one. A session whose hash another process wrote at the same moment is taken over: the answer says
 * the number that every hash really has.
 */
export const writeVisits = statement<{ account_id: string; hash: string; number: number; began: boolean }>(
  'tracking.write_visits',
  `with begun as (
     insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, referrer,
       source, medium, campaign, term, content, utm_id, click_ids, device, browser, os, country, is_bot, is_internal,
       lead_id)
     select w.*, (
       select lead_id from sessions s where s.account_id = w.account_id and s.visitor_id = w.visitor_id
       order by started_at desc limit 1)
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
       $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::jsonb[],
       $17::text[], $18::text[], $19::text[], $20::text[], $21::boolean[], $22::boolean[])
       as w (account_id, number, hash, short_hash, visitor_id)
     on conflict (account_id, hash) do update
       set last_seen_at = greatest(sessions.last_seen_at, excluded.last_seen_at)
     returning account_id, hash, number, started_at, lead_id, xmax = 0 as began),
   tied as (
     insert into lead_sessions (account_id, lead_id, started_at, session_number)
     select account_id, lead_id, started_at, number from begun where began and lead_id is not null),
   touched as (
     update sessions set last_seen_at = w.at
     from unnest($27::uuid[], $28::bigint[], $29::timestamptz[]) as w (account_id, number, at)
     where sessions.account_id = w.account_id and sessions.number = w.number
       and sessions.last_seen_at < w.at - interval '1 second'),
   clicked as (
     insert into click_ids (account_id, digest, session_number, started_at)
     select begun.account_id, w.digest, begun.number, w.at
     from unnest($23::uuid[], $24::text[], $25::uuid[], $26::timestamptz[]) as w (account_id, hash, digest, at)
     join begun on begun.account_id = w.account_id and begun.hash = w.hash and begun.began),
   visited as (
     insert into visits (account_id, id, client_visit_id, session_number, url, referrer, title, visitor_id, is_bot,
       is_internal, occurred_at, received_at)
     select w.account_id, w.id, w.client_id, coalesce(begun.number, w.number), w.url, w.referrer, w.title, w.visitor_id,
       w.is_bot, w.is_internal, w.at, w.received_at
     from unnest($30::uuid[], $31::uuid[], $32::text[], $33::text[], $34::bigint[], $35::text[], $36::text[], $37::text[],
       $38::text[], $39::boolean[], $40::boolean[], $41::timestamptz[], $42::timestamptz[])
       as w (account_id, id, client_id, hash, number, url, referrer, title, visitor_id, is_bot, is_internal, at, received_at)
     left join begun on begun.account_id = w.account_id and begun.hash = w.hash
     on conflict (account_id, client_visit_id) where client_visit_id is not null do nothing)
   select account_id, hash, number, began from begun`,
);

/** To be pushed: the events `written`, which never change, in one row for each account. */
const PUSH_EVENTS = `insert into outbox (account_id, topic, resources, at)
     select account_id, 'event.recorded', array_agg(id), max(received_at)
     from written where ${isSubscribed('written.account_id', "'event.recorded'")} group by account_id`;

/** Events alone. */
export const insertEvents = statement(
  'tracking.insert_events',
  `with written as (
     insert into events (account_id, id, client_event_id, event, properties, session_number, lead_id, is_bot, is_internal,
       occurred_at, received_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[], $7::uuid[],
       $8::boolean[], $9::boolean[], $10::timestamptz[], $11::timestamptz[])
     returning account_id, id, received_at)
   ${PUSH_EVENTS}`,
);

/** How many sessions of a visitor are looked at when one is tied to a lead: no name of a visitor, however common, takes long. */
const SESSIONS_TO_TIE = 1_000;

/**
 * Events ($1 to $12), the leads they make or change ($13 to $17) and the sessions they keep awake and tie to a lead ($18 to
 * $22), in one statement. The ids that come back were written; the rest was there already, under its client's id. A lead
 * that another process made at the same moment keeps that one's id.
 *
 * A session that is tied to another lead than before takes those of its visitor with it that have none, earlier and later
 * ones; what another lead has is never taken away. Leads and sessions are locked in the order of their keys, so that no two
 * batches wait in a circle.
 */
export const writeEvents = statement<{ id: string }>(
  'tracking.write_events',
  `with led as (
     insert into leads (account_id, email, id, first_seen_at, last_seen_at)
     select account_id, email, id, first_at, last_at
     from unnest($13::uuid[], $14::text[], $15::uuid[], $16::timestamptz[], $17::timestamptz[])
       as w (account_id, email, id, first_at, last_at)
     order by account_id, email
     on conflict (account_id, email) do update set
       first_seen_at = least(leads.first_seen_at, excluded.first_seen_at),
       last_seen_at = greatest(leads.last_seen_at, excluded.last_seen_at),
       version = leads.version + 1
     returning account_id, email, id, first_seen_at, last_seen_at, version,
       case version when 1 then 'lead.created' else 'lead.updated' end as topic),
   written as (
     insert into events (account_id, id, client_event_id, event, properties, session_number, lead_id, is_bot, is_internal,
       occurred_at, received_at)
     select w.account_id, w.id, client_event_id, event, properties, session_number, coalesce(led.id, lead_id), is_bot,
       is_internal, occurred_at, received_at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[], $7::uuid[], $8::boolean[],
       $9::boolean[], $10::timestamptz[], $11::timestamptz[], $12::text[])
       as w (account_id, id, client_event_id, event, properties, session_number, lead_id, is_bot, is_internal, occurred_at,
         received_at, email)
     left join led on led.account_id = w.account_id and led.email = w.email
     on conflict (account_id, client_event_id) where client_event_id is not null do nothing
     returning account_id, id, received_at),
   pushed as (${PUSH_EVENTS}),
   pushed_leads as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select account_id, topic, array_agg(id), array_agg(version),
       json_agg(json_build_object('firstSeenAt', first_seen_at, 'lastSeenAt', last_seen_at)), ($11::timestamptz[])[1]
     from led where ${isSubscribed('led.account_id', 'led.topic')} group by account_id, topic),
   named as materialized (
     select s.*, w.at, nullif(coalesce(led.id, w.lead_id), s.lead_id) as new_lead
     from unnest($18::uuid[], $19::bigint[], $20::timestamptz[], $21::uuid[], $22::text[])
       as w (account_id, number, at, lead_id, email)
     left join led on led.account_id = w.account_id and led.email = w.email
     join lateral (
       select account_id, number, visitor_id, started_at, lead_id from sessions s
       where s.account_id = w.account_id and s.number = w.number
         and (s.last_seen_at < w.at - interval '1 second'
           or coalesce(led.id, w.lead_id, s.lead_id) is distinct from s.lead_id)
       limit 1) s on true),
   others as (
     select o.account_id, o.number, o.started_at, named.new_lead
     from named
     join lateral (
       select account_id, number, started_at, lead_id from sessions s
       where s.account_id = named.account_id and s.visitor_id = named.visitor_id
       order by started_at desc limit ${SESSIONS_TO_TIE}) o on o.lead_id is null and o.number <> named.number
     where named.new_lead is not null and named.visitor_id not like 'erased:%'),
   wanted as (
     select distinct on (account_id, number) *
     from (
       select account_id, number, started_at, at, new_lead from named
       union all
       select account_id, number, started_at, null, new_lead from others) w
     order by account_id, number, at nulls last, new_lead),
   locked as (
     select wanted.* from wanted
     join lateral (
       select from sessions s where s.account_id = wanted.account_id and s.number = wanted.number
       for no key update) s on true),
   touched as (
     update sessions set
       last_seen_at = greatest(last_seen_at, locked.at),
       lead_id = case when locked.at is null then coalesce(sessions.lead_id, locked.new_lead)
         else coalesce(locked.new_lead, sessions.lead_id) end
     from locked where sessions.account_id = locked.account_id and sessions.number = locked.number),
   tied as (
     insert into lead_sessions (account_id, lead_id, started_at, session_number)
     select account_id, new_lead, started_at, number from wanted where new_lead is not null
     on conflict do nothing)
   select id from written`,
);

export interface SettingsRow {
  allowed_origins: string[];
  excluded_addresses: string[];
  retention_days: number | null;
  updated_at: Date;
}

export const findSettings = statement<SettingsRow>(
  'tracking.find_settings',
  'select allowed_origins, excluded_addresses, retention_days, updated_at from tracking_settings where account_id = $1',
);

/** $1 account, allowed_origins, excluded_addresses: null leaves one as it is; $4 whether to set retention_days, $5; $6 now */
export const changeSettings = statement<SettingsRow>(
  'tracking.change_settings',
  `insert into tracking_settings as s (account_id, allowed_origins, excluded_addresses, retention_days, updated_at)
   values ($1, coalesce($2::text[], '{}'), coalesce($3::text[], '{}'), $5::int, $6)
   on conflict (account_id) do update set
     allowed_origins = coalesce($2::text[], s.allowed_origins),
     excluded_addresses = coalesce($3::text[], s.excluded_addresses),
     retention_days = case when $4::boolean then excluded.retention_days else s.retention_days end,
     updated_at = excluded.updated_at
   returning allowed_origins, excluded_addresses, retention_days, updated_at`,
);
