import type { Tx } from '../../shared/postgres/database.ts';
import { type Rows, rows, statement } from '../../shared/postgres/statement.ts';
import type { Identifier, LookupKey } from '../identifiers.ts';

export interface SessionLookup {
  accountId: string;
  identifier: Identifier;
}

/**
 * The session numbers that the identifiers refer to, in their order and undefined where there is no session, with one
 * statement for any number of identifiers. Of several sessions with the same click id the earliest is found.
 */
export async function findSessions(tx: Tx, lookups: readonly SessionLookup[]): Promise<(number | undefined)[]> {
  if (lookups.length === 0) return [];
  const batch = new LookupBatch();
  for (const { accountId, identifier } of lookups) batch.add(identifier.lookupKey, accountId, identifier.value);
  const find = batch.index(await findSessionNumbers(tx, batch.sessionParameters()));
  return lookups.map(({ accountId, identifier }) => {
    return find(identifier.lookupKey, accountId, identifier.value)?.number ?? undefined;
  });
}

type Key = LookupKey | 'event' | 'trusted_event' | 'lead';

export interface FoundRow {
  key: Key;
  account_id: string;
  value: string;
  /** The session's; for a lead its latest session's, if it is needed. */
  number: number | null;
  /** When that session started; for a click id, when it was first seen. */
  started_at: Date | null;
  /** Of the event or the lead. */
  id: string | null;
  /** When the session or the lead was last seen; null for a click id. */
  seen_at: Date | null;
  /** The lead's. */
  first_seen_at: Date | null;
  /** The session's. */
  lead_id: string | null;
}

interface LookupRow {
  account_id: string;
  value: string;
}

/** Collects lookup keys of any accounts, each once, as the batches that the lookup statements take. */
export class LookupBatch {
  readonly #seen = new Set<string>();
  readonly #rows: Record<Exclude<Key, 'lead'>, LookupRow[]> = {
    hash: [],
    number: [],
    short: [],
    click: [],
    event: [],
    trusted_event: [],
  };
  readonly #leads = new Map<string, LookupRow & { needs_session: boolean }>();

  add(key: Exclude<Key, 'lead'>, accountId: string, value: string): void {
    const id = `${key} ${accountId} ${value}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#rows[key].push({ account_id: accountId, value });
  }

  /** @param needsSession whether its latest session is needed, too */
  addLead(accountId: string, email: string, needsSession: boolean): void {
    const id = `${accountId} ${email}`;
    const known = this.#leads.get(id);
    if (known) known.needs_session ||= needsSession;
    else this.#leads.set(id, { account_id: accountId, value: email, needs_session: needsSession });
  }

  get isEmpty(): boolean {
    return this.#seen.size + this.#leads.size === 0;
  }

  sessionParameters() {
    const { hash, number, short, click } = this.#rows;
    return { hashes: hash, numbers: number, short_hashes: short, click_ids: click };
  }

  eventParameters() {
    const { event, trusted_event } = this.#rows;
    const events = [
      ...event.map((row) => ({ ...row, is_trusted: false })),
      ...trusted_event.map((row) => ({ ...row, is_trusted: true })),
    ];
    return { ...this.sessionParameters(), events, leads: [...this.#leads.values()] };
  }

  index(found: readonly FoundRow[]): (key: Key, accountId: string, value: string) => FoundRow | undefined {
    const byKey = new Map(found.map((row) => [`${row.key} ${row.account_id} ${row.value}`, row]));
    return (key, accountId, value) => byKey.get(`${key} ${accountId} ${value}`);
  }
}

const TEXTS = rows({ account_id: 'uuid', value: 'text' });
const NUMBERS = rows({ account_id: 'uuid', value: 'bigint' });
const DIGESTS = rows({ account_id: 'uuid', value: 'uuid' });
const SESSIONS = { hashes: TEXTS, numbers: NUMBERS, short_hashes: TEXTS, click_ids: DIGESTS } satisfies Record<
  string,
  Rows
>;

const SESSION = 'number, started_at, last_seen_at, lead_id';

/** `lateral … limit 1` makes each branch probe its index once for each key, whatever the planner believes about sizes. */
const SESSION_LOOKUP = `
   select 'hash' as key, w.account_id, w.value, s.number, s.started_at, null::uuid as id, s.last_seen_at as seen_at,
     null::timestamptz as first_seen_at, s.lead_id
     from :hashes as w
     join lateral (
       select ${SESSION} from sessions s where s.account_id = w.account_id and s.hash = w.value limit 1) s on true
   union all
   select 'number', w.account_id, w.value::text, s.number, s.started_at, null, s.last_seen_at, null, s.lead_id
     from :numbers as w
     join lateral (
       select ${SESSION} from sessions s where s.account_id = w.account_id and s.number = w.value limit 1) s on true
   union all
   select 'short', w.account_id, w.value, s.number, s.started_at, null, s.last_seen_at, null, s.lead_id
     from :short_hashes as w
     join lateral (
       select ${SESSION} from sessions s where s.account_id = w.account_id and s.short_hash = w.value
       order by started_at, number limit 1) s on true
   union all
   select 'click', w.account_id, w.value::text, c.session_number, c.seen_at, null, null, null, null
     from :click_ids as w
     join lateral (
       select session_number, seen_at from click_ids c where c.account_id = w.account_id and c.digest = w.value
       order by seen_at, session_number limit 1) c on true`;

const findSessionNumbers = statement('tracking.find_session_numbers', SESSIONS).returns<FoundRow>(SESSION_LOOKUP);

/** Sessions, events by their client id and type of key, and leads by email. */
export const findForEvents = statement('tracking.find_for_events', {
  ...SESSIONS,
  events: rows({ account_id: 'uuid', value: 'text', is_trusted: 'boolean' }),
  leads: rows({ account_id: 'uuid', value: 'text', needs_session: 'boolean' }),
}).returns<FoundRow>(
  `${SESSION_LOOKUP}
   union all
   select case when w.is_trusted then 'trusted_event' else 'event' end, w.account_id, w.value, null, null, e.id, null, null, null
     from :events as w
     join lateral (
       select id from events e
       where e.account_id = w.account_id and e.client_event_id = w.value and e.is_trusted = w.is_trusted limit 1) e on true
   union all
   select 'lead', w.account_id, w.value, s.number, s.started_at, l.id, l.last_seen_at, l.first_seen_at, null
     from :leads as w
     join lateral (
       select id, first_seen_at, last_seen_at from leads l where l.account_id = w.account_id and l.email = w.value limit 1) l on true
     left join lateral (
       select session_number as number, started_at from lead_sessions t
       where w.needs_session and t.account_id = w.account_id and t.lead_id = l.id
         and (select lead_id from sessions s where s.account_id = t.account_id and s.number = t.session_number) = l.id
       order by started_at desc, session_number desc limit 1) s on true`,
);
