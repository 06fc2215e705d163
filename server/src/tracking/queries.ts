import { statement } from '../shared/postgres/database.ts';

/**
 * Each branch probes its index once for each key: `lateral … limit 1` leaves the planner no other way, whatever it
 * believes about sizes.
 */
export const findSessionNumbers = statement<{ kind: string; account_id: string; value: string; number: number }>(
  'tracking.find_session_numbers',
  `select 'hash' as kind, w.account_id, w.value, s.number
     from unnest($1::uuid[], $2::text[]) as w (account_id, value)
     join lateral (select number from sessions s where s.account_id = w.account_id and s.hash = w.value limit 1) s on true
   union all
   select 'number', w.account_id, w.value::text, s.number
     from unnest($3::uuid[], $4::bigint[]) as w (account_id, value)
     join lateral (select number from sessions s where s.account_id = w.account_id and s.number = w.value limit 1) s on true
   union all
   select 'short', w.account_id, w.value, s.number
     from unnest($5::uuid[], $6::text[]) as w (account_id, value)
     join lateral (
       select number from sessions s where s.account_id = w.account_id and s.short_hash = w.value
       order by started_at, number limit 1) s on true
   union all
   select 'click', w.account_id, w.value::text, c.session_number
     from unnest($7::uuid[], $8::uuid[]) as w (account_id, value)
     join lateral (
       select session_number from click_ids c where c.account_id = w.account_id and c.digest = w.value
       order by started_at, session_number limit 1) c on true`,
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
  click_ids: Record<string, string>;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  utm_id: string | null;
}

const SESSION = `s.account_id, s.number, s.hash, s.visitor_id, s.started_at, s.last_seen_at, s.click_ids, s.source, s.medium,
  s.campaign, s.utm_id`;

/** The sessions named by hash ($1, $2), and the latest session of each visitor ($3, $4). */
export const findCurrentSessions = statement<SessionRow>(
  'tracking.find_current_sessions',
  `select ${SESSION}
     from unnest($1::uuid[], $2::text[]) as w (account_id, hash)
     join lateral (select * from sessions s where s.account_id = w.account_id and s.hash = w.hash limit 1) s on true
   union all
   select ${SESSION}
     from unnest($3::uuid[], $4::text[]) as w (account_id, visitor_id)
     join lateral (
       select * from sessions s where s.account_id = w.account_id and s.visitor_id = w.visitor_id
       order by started_at desc limit 1) s on true`,
);

/**
 * Writes new sessions ($1 to $21) with their click ids ($22 to $25), touches known ones ($26 to $28) and writes the visits
 * ($29 on), in one statement. A session whose hash another process wrote at the same moment is taken over: the answer says
 * the number that every hash really has.
 */
export const writeVisits = statement<{ account_id: string; hash: string; number: number; began: boolean }>(
  'tracking.write_visits',
  `with begun as (
     insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, referrer,
       source, medium, campaign, term, content, utm_id, click_ids, device, browser, os, country, is_bot)
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
       $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::jsonb[],
       $17::text[], $18::text[], $19::text[], $20::text[], $21::boolean[])
     on conflict (account_id, hash) do update
       set last_seen_at = greatest(sessions.last_seen_at, excluded.last_seen_at)
     returning account_id, hash, number, xmax = 0 as began),
   touched as (
     update sessions set last_seen_at = greatest(last_seen_at, w.at)
     from unnest($26::uuid[], $27::bigint[], $28::timestamptz[]) as w (account_id, number, at)
     where sessions.account_id = w.account_id and sessions.number = w.number),
   clicked as (
     insert into click_ids (account_id, digest, session_number, started_at)
     select begun.account_id, w.digest, begun.number, w.at
     from unnest($22::uuid[], $23::text[], $24::uuid[], $25::timestamptz[]) as w (account_id, hash, digest, at)
     join begun on begun.account_id = w.account_id and begun.hash = w.hash and begun.began),
   visited as (
     insert into visits (account_id, id, session_number, url, referrer, title, visitor_id, is_bot, occurred_at, received_at)
     select w.account_id, w.id, coalesce(begun.number, w.number), w.url, w.referrer, w.title, w.visitor_id, w.is_bot, w.at,
       w.received_at
     from unnest($29::uuid[], $30::uuid[], $31::text[], $32::bigint[], $33::text[], $34::text[], $35::text[], $36::text[],
       $37::boolean[], $38::timestamptz[], $39::timestamptz[])
       as w (account_id, id, hash, number, url, referrer, title, visitor_id, is_bot, at, received_at)
     left join begun on begun.account_id = w.account_id and begun.hash = w.hash)
   select account_id, hash, number, began from begun`,
);

/** Leads by e-mail ($2), made or seen again, in the order of their key so that no two batches wait in a circle. */
export const upsertLeads = statement<{ account_id: string; email: string; id: string; latest_session: number | null }>(
  'tracking.upsert_leads',
  `insert into leads (account_id, email, id, first_session, latest_session, first_seen_at, last_seen_at)
   select account_id, email, id, first_session, latest_session, first_at, last_at
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
     as w (account_id, email, id, first_session, latest_session, first_at, last_at)
   order by account_id, email
   on conflict (account_id, email) do update set
     first_session = coalesce(leads.first_session, excluded.first_session),
     latest_session = coalesce(excluded.latest_session, leads.latest_session),
     first_seen_at = least(leads.first_seen_at, excluded.first_seen_at),
     last_seen_at = greatest(leads.last_seen_at, excluded.last_seen_at)
   returning account_id, email, id, latest_session`,
);

/** What comes back was written; the rest was there already, under its client's id. */
export const insertEvents = statement<{ id: string }>(
  'tracking.insert_events',
  `insert into events (account_id, id, client_event_id, event, properties, session_number, lead_id, is_bot, occurred_at,
     received_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[], $7::uuid[],
     $8::boolean[], $9::timestamptz[], $10::timestamptz[])
   on conflict (account_id, client_event_id) where client_event_id is not null do nothing
   returning id`,
);

export const findEventsByClientId = statement<{ account_id: string; client_event_id: string; id: string }>(
  'tracking.find_events_by_client_id',
  `select e.account_id, e.client_event_id, e.id
   from unnest($1::uuid[], $2::text[]) as w (account_id, client_event_id)
   join lateral (
     select * from events e where e.account_id = w.account_id and e.client_event_id = w.client_event_id limit 1) e on true`,
);

/** An event keeps its session awake, and ties it to its lead. */
export const touchSessions = statement(
  'tracking.touch_sessions',
  `with locked as (
     select s.account_id, s.number, w.at, w.lead_id
     from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::uuid[]) as w (account_id, number, at, lead_id)
     join lateral (
       select account_id, number from sessions s where s.account_id = w.account_id and s.number = w.number for update
     ) s on true
     order by s.account_id, s.number)
   update sessions set last_seen_at = greatest(last_seen_at, locked.at), lead_id = coalesce(locked.lead_id, sessions.lead_id)
   from locked where sessions.account_id = locked.account_id and sessions.number = locked.number`,
);
