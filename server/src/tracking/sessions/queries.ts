import { type ParametersOf, plannedStatement, rows, statement } from '../../shared/postgres/statement.ts';

export interface SessionRow {
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
  region: string | null;
  is_bot: boolean;
  is_internal: boolean;
}

const COLUMNS = `s.number, s.hash, s.short_hash, s.visitor_id, s.started_at, s.last_seen_at, s.landing_url, s.referrer,
  s.source, s.medium, s.campaign, s.term, s.content, s.utm_id, s.click_ids, s.device, s.browser, s.os, s.country,
  s.region, s.is_bot, s.is_internal`;

export const findSessionsByNumber = statement('tracking.find_sessions_by_number', {
  sessions: rows({ account_id: 'uuid', number: 'bigint' }),
}).returns<SessionRow & { account_id: string }>(
  `select s.account_id, ${COLUMNS} from :sessions as w
   join lateral (select * from sessions s where s.account_id = w.account_id and s.number = w.number limit 1) s on true`,
);

export interface SessionListRow extends SessionRow {
  lead_id: string | null;
  email: string | null;
}

const WITH_LEAD = `select ${COLUMNS}, s.lead_id,
    (select email from leads l where l.account_id = s.account_id and l.id = s.lead_id) as email
  from sessions s`;

const LISTING = {
  account_id: 'uuid',
  from: 'timestamptz?',
  to: 'timestamptz?',
  source: 'text?',
  medium: 'text?',
  campaign: 'text?',
  country: 'text?',
  device: 'text?',
  platform: 'text?',
  all: 'boolean',
  after_time: 'timestamptz?',
  after_number: 'bigint?',
  limit: 'integer',
} as const;

export type SessionListing = ParametersOf<typeof LISTING>;

const RANGE = `s.account_id = :account_id and s.started_at >= coalesce(:from, '-infinity'::timestamptz)
  and s.started_at < coalesce(:to, 'infinity'::timestamptz)`;

/** A filter that is null matches every session. */
const FILTERS = `${RANGE}
  and (:source is null or s.source = :source) and (:medium is null or s.medium = :medium)
  and (:campaign is null or s.campaign = :campaign) and (:country is null or s.country = :country)
  and (:device is null or s.device = :device) and (:platform is null or s.click_ids ? :platform)
  and (:all or not s.is_bot and not s.is_internal)`;

interface Order {
  /** Behind the position of the page. */
  isAfter: string;
  by(session: string): string;
}

const NEWEST_FIRST: Order = {
  isAfter: `(s.started_at, s.number) <
    (coalesce(:after_time, 'infinity'::timestamptz), coalesce(:after_number, 9223372036854775807))`,
  by: (session) => `order by ${session}.started_at desc, ${session}.number desc`,
};
const OLDEST_FIRST: Order = {
  isAfter: `(s.started_at, s.number) >
    (coalesce(:after_time, '-infinity'::timestamptz), coalesce(:after_number, 0))`,
  by: (session) => `order by ${session}.started_at, ${session}.number`,
};

/** How many sessions a list reads in its order before it uses the bitmaps (some 2 ms), and how many more if these fill a fifth of the page. */
const WALKED = 2_000;
const WALKED_FURTHER = 8_000;

/**
 * What the first sessions in the order pass, up to a page. If they do not fill it and there may be more sessions, the last one that was read
 * follows as `is_end`, whether it passes or not.
 */
const walk = ({ isAfter, by }: Order, sessions: number) =>
  plannedStatement(LISTING).returns<SessionListRow & { is_end: boolean }>(
    `with page as materialized (
       select s.number from (
         select s.started_at, s.number, ${FILTERS} as passes
         from sessions s where ${RANGE} and ${isAfter} ${by('s')} limit ${sessions}) s
       where s.passes limit :limit),
     last as materialized (
       select s.number from sessions s
       where (select count(*) from page) < :limit and ${RANGE} and ${isAfter} ${by('s')} offset ${sessions - 1} limit 1),
     found as (select number, false as is_end from page union all select number, true from last)
     select s.*, found.is_end from found
     cross join lateral (${WITH_LEAD} where s.account_id = :account_id and s.number = found.number limit 1) s
     order by found.is_end, ${by('s').slice('order by '.length)}`,
  );
export const walkNewestSessions = [walk(NEWEST_FIRST, WALKED), walk(NEWEST_FIRST, WALKED_FURTHER)];
export const walkOldestSessions = [walk(OLDEST_FIRST, WALKED), walk(OLDEST_FIRST, WALKED_FURTHER)];

const list = ({ isAfter, by }: Order) =>
  plannedStatement(LISTING).returns<SessionListRow>(
    `${WITH_LEAD} where ${FILTERS} and ${isAfter} ${by('s')} limit :limit`,
  );
export const listNewestSessions = list(NEWEST_FIRST);
export const listOldestSessions = list(OLDEST_FIRST);

const listAmong = (name: string, { isAfter, by }: Order) =>
  statement(name, { ...LISTING, numbers: 'bigint[]' }).returns<SessionListRow>(
    `${WITH_LEAD} where ${FILTERS} and s.number = any(:numbers) and ${isAfter} ${by('s')} limit :limit`,
  );
export const listNewestAmong = listAmong('tracking.list_newest_sessions_among', NEWEST_FIRST);
export const listOldestAmong = listAmong('tracking.list_oldest_sessions_among', OLDEST_FIRST);

/** A page of the sessions of blocks (see `bitmap-queries.ts`) and of those named, from `low` until before `high`. */
const listInBlocks = (name: string, { isAfter, by }: Order) =>
  statement(name, {
    ...LISTING,
    low: 'timestamptz?',
    high: 'timestamptz?',
    since: 'timestamptz[]',
    until: 'timestamptz[]',
    numbers: 'bigint[]',
  }).returns<SessionListRow>(
    // The index of the filters is no help within a block, and slow to ask for each.
    `with found as materialized (
       select s.number from unnest(:since, :until) w (since, until)
       cross join lateral (
         select * from sessions s
         where ${RANGE} and s.started_at >= greatest(w.since, :low, '-infinity') and s.started_at < least(w.until, :high, 'infinity')
         offset 0) s
       where ${FILTERS}
       union
       select unnest(:numbers))
     ${WITH_LEAD} where ${FILTERS} and s.number = any(array(select number from found))
       and s.started_at >= greatest(:low, '-infinity') and s.started_at < least(:high, 'infinity')
       and ${isAfter} ${by('s')} limit :limit`,
  );
export const listNewestInBlocks = listInBlocks('tracking.list_newest_sessions_in_blocks', NEWEST_FIRST);
export const listOldestInBlocks = listInBlocks('tracking.list_oldest_sessions_in_blocks', OLDEST_FIRST);

export const findListedSessions = statement('tracking.find_listed_sessions', {
  account_id: 'uuid',
  numbers: 'bigint[]',
}).returns<SessionListRow>(`${WITH_LEAD} where s.account_id = :account_id and s.number = any(:numbers)`);

export const getSession = statement('tracking.get_session', {
  account_id: 'uuid',
  number: 'bigint',
}).returns<SessionListRow>(`${WITH_LEAD} where s.account_id = :account_id and s.number = :number`);

/** Finds at most `limit` sessions of each kind. `text` may be a hash, a visitor id, or the client id of an event or a visit. */
export const searchSessions = statement('tracking.search_sessions', {
  account_id: 'uuid',
  text: 'text',
  number: 'bigint?',
  short_hash: 'text?',
  click_ids: 'uuid[]',
  limit: 'integer',
}).returns<{ number: number }>(
  `select number from sessions where account_id = :account_id and hash = :text
   union select number from sessions where account_id = :account_id and number = :number
   union select number from sessions where account_id = :account_id and short_hash = :short_hash
   union (
     select number from sessions where account_id = :account_id and visitor_id = :text
     order by started_at desc limit :limit)
   union (
     select c.session_number from unnest(:click_ids) w (digest)
     join lateral (
       select session_number from click_ids c where c.account_id = :account_id and c.digest = w.digest
       order by seen_at desc limit :limit) c on true)
   union
   select session_number from events
   where account_id = :account_id and client_event_id = :text and session_number is not null
   union select session_number from visits where account_id = :account_id and client_visit_id = :text`,
);

/** The numbers of the latest sessions of leads, at most `limit` of each. */
export const findSessionsOfLeads = statement('tracking.find_sessions_of_leads', {
  account_id: 'uuid',
  leads: 'uuid[]',
  limit: 'integer',
}).returns<{ number: number }>(
  `select t.session_number as number from unnest(:leads) w (id)
   join lateral (
     select session_number from lead_sessions t where t.account_id = :account_id and t.lead_id = w.id
     order by started_at desc, session_number desc limit :limit) t on true
   join sessions s on s.account_id = :account_id and s.number = t.session_number and s.lead_id = w.id`,
);
