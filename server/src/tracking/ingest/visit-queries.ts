import { rows, statement } from '../../shared/postgres/statement.ts';
import { START_COLUMNS } from './session-start.ts';

/** Session numbers are drawn in blocks, so that a visit waits for no round trip to get one. */
export const drawSessionNumbers = statement('tracking.draw_session_numbers', { count: 'integer' }).returns<{
  number: number;
}>("select nextval('session_number_seq') as number from generate_series(1, :count)");

/** Serializes the visits of one visitor across processes. Locks are taken in order, so that batches cannot deadlock. */
export const lockVisitors = statement('tracking.lock_visitors', { keys: 'bigint[]' }).runs(
  'select pg_advisory_xact_lock(key) from (select distinct unnest(:keys) as key order by key) keys',
);

export interface CurrentSessionRow {
  account_id: string;
  number: number;
  hash: string;
  visitor_id: string;
  started_at: Date;
  last_seen_at: Date;
  landing_url: string;
  /** The client's id of the visit that the session was found by, if it was, and its type of key. */
  visit_id: string | null;
  is_trusted: boolean | null;
}

const COLUMNS = 's.account_id, s.number, s.hash, s.visitor_id, s.started_at, s.last_seen_at, s.landing_url';

/**
 * Sessions by hash, the latest session of each visitor that started by a time, and the sessions of visits that were
 * recorded before, by their client id.
 */
export const findCurrentSessions = statement('tracking.find_current_sessions', {
  hashes: rows({ account_id: 'uuid', hash: 'text' }),
  visitors: rows({ account_id: 'uuid', visitor_id: 'text', started_by: 'timestamptz' }),
  visits: rows({ account_id: 'uuid', visit_id: 'text', is_trusted: 'boolean' }),
}).returns<CurrentSessionRow>(
  `select ${COLUMNS}, null as visit_id, null::boolean as is_trusted
     from :hashes as w
     join lateral (select * from sessions s where s.account_id = w.account_id and s.hash = w.hash limit 1) s on true
   union all
   select ${COLUMNS}, null, null
     from :visitors as w
     join lateral (
       select * from sessions s
       where s.account_id = w.account_id and s.visitor_id = w.visitor_id and s.started_at <= w.started_by
       order by started_at desc limit 1) s on true
   union all
   select ${COLUMNS}, w.visit_id, w.is_trusted
     from :visits as w
     join lateral (
       select session_number from visits v
       where v.account_id = w.account_id and v.client_visit_id = w.visit_id and v.is_trusted = w.is_trusted limit 1
     ) v on true
     join lateral (
       select * from sessions s where s.account_id = w.account_id and s.number = v.session_number limit 1) s on true`,
);

/** Only of visits that name a session by its number, which is rare. */
export const findSessionHashes = statement('tracking.find_session_hashes', {
  sessions: rows({ account_id: 'uuid', number: 'bigint' }),
}).returns<{ account_id: string; number: number; hash: string }>(
  `select s.account_id, s.number, s.hash from :sessions as w
   join lateral (
     select * from sessions s where s.account_id = w.account_id and s.number = w.number limit 1) s on true`,
);

const SESSIONS = rows({
  account_id: 'uuid',
  number: 'bigint',
  hash: 'text',
  short_hash: 'text',
  visitor_id: 'text',
  started_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  ...START_COLUMNS,
});
const CLICK_IDS = rows({ account_id: 'uuid', hash: 'text', digest: 'uuid', seen_at: 'timestamptz' });
const SEEN = rows({ account_id: 'uuid', number: 'bigint', seen_at: 'timestamptz' });
const VISITS = rows({
  account_id: 'uuid',
  id: 'uuid',
  client_visit_id: 'text?',
  is_trusted: 'boolean',
  session_hash: 'text',
  session_number: 'bigint',
  url: 'text',
  referrer: 'text?',
  title: 'text?',
  visitor_id: 'text',
  is_bot: 'boolean',
  is_internal: 'boolean',
  occurred_at: 'timestamptz',
  received_at: 'timestamptz',
});

export interface WrittenSessionRow {
  account_id: string;
  hash: string;
  is_new: boolean;
}

/** Visits with a client id, which another process may have recorded meanwhile. Without, a row needs no second look. */
const UNLESS_RECORDED =
  'on conflict (account_id, client_visit_id, is_trusted) where client_visit_id is not null do nothing';

const UPDATE_SEEN = `update sessions set last_seen_at = w.seen_at
     from :seen as w
     where sessions.account_id = w.account_id and sessions.number = w.number
       and w.seen_at - sessions.last_seen_at > interval '1 second'`;
const INSERT_VISITS = `insert into visits (account_id, id, client_visit_id, is_trusted, session_number, url, referrer, title,
       visitor_id, is_bot, is_internal, occurred_at, received_at)`;

/** So that lists find them: see docs/decisions/0040-session-bitmaps.md. */
const WRITE_LATE = `,
     late as (
       insert into late_sessions (account_id, started_at, session_number)
       select account_id, started_at, number from started where is_new)`;

/**
 * Writes new sessions with their click ids, updates sessions that were seen again and writes the visits, in one statement.
 * A new session gets the lead of its visitor's latest session. The visits of a session that another process has written with the same
 * hash in the meantime are left out: whoever wrote them first, the earlier one starts it.
 */
const starting = (name: string, after: '' | typeof WRITE_LATE) =>
  statement(name, {
    sessions: SESSIONS,
    click_ids: CLICK_IDS,
    seen: SEEN,
    visits: VISITS,
  }).returns<WrittenSessionRow>(
    `with started as (
       insert into sessions (${SESSIONS.list}, lead_id)
       select w.*, (
         select lead_id from sessions s where s.account_id = w.account_id and s.visitor_id = w.visitor_id
         order by started_at desc limit 1)
       from :sessions as w
       on conflict (account_id, hash) do update
         set last_seen_at = greatest(sessions.last_seen_at, excluded.last_seen_at)
       returning account_id, hash, number, started_at, lead_id, xmax = 0 as is_new),
     linked_leads as (
       insert into lead_sessions (account_id, lead_id, started_at, session_number)
       select account_id, lead_id, started_at, number from started where is_new and lead_id is not null),
     seen_again as (${UPDATE_SEEN}),
     new_click_ids as (
       insert into click_ids (account_id, digest, session_number, seen_at)
       select started.account_id, w.digest, started.number, w.seen_at
       from :click_ids as w
       join started on started.account_id = w.account_id and started.hash = w.hash and started.is_new),
     new_visits as (
       ${INSERT_VISITS}
       select w.account_id, w.id, w.client_visit_id, w.is_trusted, w.session_number, w.url, w.referrer, w.title,
         w.visitor_id, w.is_bot, w.is_internal, w.occurred_at, w.received_at
       from :visits as w
       left join started on started.account_id = w.account_id and started.hash = w.session_hash
       where started.is_new is not false
       ${UNLESS_RECORDED})${after}
   select account_id, hash, is_new from started`,
  );

export const writeVisits = starting('tracking.write_visits', '');
/** Also records the new sessions as late. */
export const writeLateVisits = starting('tracking.write_late_visits', WRITE_LATE);

/** Updates sessions that were seen again and writes visits, none of which starts a session. */
const continuing = (name: string, conflict: '' | typeof UNLESS_RECORDED) =>
  statement(name, { seen: SEEN, visits: VISITS }).runs(
    `with seen_again as (${UPDATE_SEEN})
   ${INSERT_VISITS}
   select account_id, id, client_visit_id, is_trusted, session_number, url, referrer, title, visitor_id, is_bot, is_internal,
     occurred_at, received_at
   from :visits as w ${conflict}`,
  );

export const continueVisits = continuing('tracking.continue_visits', '');
export const continueVisitsOnce = continuing('tracking.continue_visits_once', UNLESS_RECORDED);
