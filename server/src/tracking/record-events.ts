import { newUuid } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { Wanted } from './find-sessions.ts';
import type { Identifier } from './identifier.ts';
import { type FoundRow, findForEvents, insertEvents, writeEvents } from './queries.ts';
import type { Reactions, ValuedEvent } from './reactions.ts';

/** An event as it was asked for, checked. */
export interface NewEvent {
  accountId: string;
  event: string;
  /** `properties`, as JSON. */
  json: string;
  clientEventId: string | null;
  identifiers: Identifier[];
  email: string | null;
  value: number | null;
  currency: unknown;
  isBot: boolean;
  isInternal: boolean;
  /** Whether a server sent it, by a secret token. */
  trusted: boolean;
  /** Milliseconds since 1970. */
  occurredAt: number;
  receivedAt: number;
}

/** An event on its way into the database. */
interface Draft {
  asked: NewEvent;
  id: string;
  /** The one earlier in the batch that has the same client's id. */
  sameAs: Draft | null;
  session: KnownSession | null;
  identifier: Identifier | null;
  lead: Lead | null;
  /** The latest session of its lead at the time, for a value without a session. */
  leadSession: KnownSession | null;
}

interface KnownSession {
  number: number;
  startedAt: number;
}

interface Lead {
  accountId: string;
  email: string;
  id: string;
  latestSession: KnownSession | null;
  firstAt: number;
  lastAt: number;
  /** Whether the batch tells something new of it. */
  changed: boolean;
}

/** A lead or a session that was seen less than a second ago is not written again for that alone. */
const FRESH_MS = 1_000;

/**
 * Records events of any accounts, all or none, and returns their ids (UUIDs), in order. One whose client's id was recorded
 * before changes nothing and has the first one's id.
 *
 * One statement looks everything up and one writes; events that name no session, lead, client's id or value need no look.
 * @param inside a transaction to take part in
 */
export async function recordEvents(
  db: Database,
  events: NewEvent[],
  reactions: Reactions[],
  inside?: Tx,
): Promise<string[]> {
  const drafts = events.map((asked): Draft => {
    return {
      asked,
      id: newUuid(asked.receivedAt),
      sameAs: null,
      session: null,
      identifier: null,
      lead: null,
      leadSession: null,
    };
  });
  const fresh = await resolve(inside ?? db, drafts);
  const work = (tx: Tx) => write(tx, fresh, reactions);
  if (inside || !fresh.some(({ asked }) => asked.value !== null)) await work(inside ?? db);
  else await db.transaction(work);
  return drafts.map((draft) => (draft.sameAs ?? draft).id);
}

/**
 * Looks up what the drafts name, and returns those that are new: one that is recorded already gets that one's id, one that
 * the batch holds twice is written once.
 */
async function resolve(tx: Tx, drafts: Draft[]): Promise<Draft[]> {
  const wanted = new Wanted();
  for (const { asked } of drafts) {
    for (const { lookUp, value } of asked.identifiers) wanted.add(lookUp, asked.accountId, value);
    if (asked.clientEventId !== null) wanted.add('event', asked.accountId, asked.clientEventId);
    if (asked.email !== null) wanted.add('lead', asked.accountId, asked.email);
  }
  if (wanted.isEmpty) return drafts;
  const rows = await findForEvents(tx, ...wanted.parameters('hash', 'number', 'short', 'click', 'event', 'lead'));
  const found = wanted.found(rows);
  const firsts = new Map<string, Draft>();
  const leads = new Map<string, Lead>();
  return drafts.filter((draft) => {
    const { accountId, clientEventId, email, identifiers } = draft.asked;
    if (clientEventId !== null) {
      const key = `${accountId} ${clientEventId}`;
      const recorded = found('event', accountId, clientEventId)?.id;
      draft.sameAs = firsts.get(key) ?? null;
      if (recorded) draft.id = recorded;
      if (recorded || draft.sameAs) return false;
      firsts.set(key, draft);
    }
    draft.identifier = identifiers[0] ?? null;
    for (const identifier of identifiers) {
      const session = sessionOf(found(identifier.lookUp, accountId, identifier.value));
      if (!session) continue;
      draft.session = session;
      draft.identifier = identifier;
      break;
    }
    if (email !== null) {
      const key = `${accountId} ${email}`;
      const row = found('lead', accountId, email);
      const known = leads.get(key) ?? (row && leadOf(row, draft));
      draft.lead = seeLead(known, draft);
      draft.leadSession = draft.lead.latestSession;
      leads.set(key, draft.lead);
    }
    return true;
  });
}

function sessionOf(row: FoundRow | undefined): KnownSession | null {
  const { number = null, started_at: startedAt = null } = row ?? {};
  return number === null || startedAt === null ? null : { number, startedAt: startedAt.getTime() };
}

function leadOf(row: FoundRow | undefined, { asked }: Draft): Lead {
  return {
    accountId: asked.accountId,
    email: asked.email ?? '',
    id: row?.id ?? newUuid(asked.receivedAt),
    latestSession: sessionOf(row),
    firstAt: asked.occurredAt,
    lastAt: row?.seen_at?.getTime() ?? 0,
    changed: row === undefined,
  };
}

/** The lead as it is after this event. */
function seeLead(known: Lead | undefined, draft: Draft): Lead {
  const { occurredAt } = draft.asked;
  const lead = known ?? leadOf(undefined, draft);
  lead.changed ||= occurredAt > lead.lastAt + FRESH_MS;
  const { session } = draft;
  if (session && session.startedAt >= (lead.latestSession?.startedAt ?? 0)) lead.latestSession = session;
  lead.firstAt = Math.min(lead.firstAt, occurredAt);
  lead.lastAt = Math.max(lead.lastAt, occurredAt);
  return lead;
}

async function write(tx: Tx, drafts: Draft[], reactions: Reactions[]): Promise<void> {
  if (drafts.length === 0) return;
  const named = drafts.some(({ asked, session, lead }) => asked.clientEventId ?? session ?? lead);
  if (!named) {
    await insertEvents(tx, ...eventParameters(drafts));
  } else {
    const emails = drafts.map(({ lead }) => (lead?.changed ? lead.email : null));
    const rows = await writeEvents(
      tx,
      ...eventParameters(drafts),
      emails,
      ...leadParameters(drafts),
      ...touched(drafts),
    );
    if (rows.length < drafts.length) {
      const written = new Set(rows.map(({ id }) => id));
      const missed = drafts.filter(({ id }) => !written.has(id));
      // Written by another process since the look: its ids are the ones to answer.
      if ((await resolve(tx, missed)).length > 0) throw new Error('an event was neither written nor there');
      drafts = drafts.filter(({ id }) => written.has(id));
    }
  }
  const valued = drafts.flatMap((draft) => valuedEvent(draft) ?? []);
  if (valued.length > 0) for (const reaction of reactions) await reaction.valuesRecorded(tx, valued);
}

function valuedEvent({ asked, id, session, identifier, leadSession }: Draft): ValuedEvent | undefined {
  if (asked.value === null) return undefined;
  return {
    accountId: asked.accountId,
    id,
    clientEventId: asked.clientEventId,
    event: asked.event,
    value: asked.value,
    currency: asked.currency,
    occurredAt: new Date(asked.occurredAt),
    receivedAt: new Date(asked.receivedAt),
    sessionNumber: (session ?? leadSession)?.number ?? null,
    identifier: identifier && { [identifier.name]: identifier.sent },
    identifierDigest: identifier?.digest ?? null,
    trusted: asked.trusted,
  };
}

function eventParameters(drafts: Draft[]): unknown[] {
  return [
    drafts.map(({ asked }) => asked.accountId),
    drafts.map(({ id }) => id),
    drafts.map(({ asked }) => asked.clientEventId),
    drafts.map(({ asked }) => asked.event),
    drafts.map(({ asked }) => asked.json),
    drafts.map(({ session }) => session?.number ?? null),
    drafts.map(({ lead }) => lead?.id ?? null),
    drafts.map(({ asked }) => asked.isBot),
    drafts.map(({ asked }) => asked.isInternal),
    drafts.map(({ asked }) => isoTime(asked.occurredAt)),
    drafts.map(({ asked }) => isoTime(asked.receivedAt)),
  ];
}

function leadParameters(drafts: Draft[]): unknown[] {
  const leads = [...new Set(drafts.flatMap(({ lead }) => (lead?.changed ? [lead] : [])))];
  return [
    leads.map((lead) => lead.accountId),
    leads.map((lead) => lead.email),
    leads.map((lead) => lead.id),
    leads.map((lead) => isoTime(lead.firstAt)),
    leads.map((lead) => isoTime(lead.lastAt)),
  ];
}

/** The sessions that the events keep awake, each once, with the lead that was named last. */
function touched(drafts: Draft[]): unknown[] {
  const sessions = new Map<string, { accountId: string; number: number; at: number; lead: Lead | null }>();
  for (const { asked, session, lead } of drafts) {
    if (session === null) continue;
    const key = `${asked.accountId} ${session.number}`;
    const known = sessions.get(key);
    sessions.set(key, {
      accountId: asked.accountId,
      number: session.number,
      at: Math.max(known?.at ?? 0, asked.occurredAt),
      lead: lead ?? known?.lead ?? null,
    });
  }
  const all = [...sessions.values()];
  return [
    all.map(({ accountId }) => accountId),
    all.map(({ number }) => number),
    all.map(({ at }) => isoTime(at)),
    all.map(({ lead }) => lead?.id ?? null),
    all.map(({ lead }) => (lead?.changed ? lead.email : null)),
  ];
}
