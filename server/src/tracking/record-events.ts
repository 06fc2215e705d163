import { newUuid } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { findSessions } from './find-sessions.ts';
import type { Identifier } from './identifier.ts';
import { findEventsByClientId, insertEvents, touchSessions, upsertLeads } from './queries.ts';
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
  sessionNumber: number | null;
  identifier: Identifier | null;
  leadId: string | null;
  /** Of its lead, for a value without a session. */
  latestSession: number | null;
}

/**
 * Records events of any accounts in one transaction and returns their ids (UUIDs), in order. One whose client's id was
 * recorded before changes nothing and has the first one's id. Events that name no session, lead, client's id or value
 * cost one statement.
 */
export async function recordEvents(
  db: Database,
  events: NewEvent[],
  reactions: Reactions[],
  inside?: Tx,
): Promise<string[]> {
  const drafts = events.map(
    (asked): Draft => ({
      asked,
      id: newUuid(asked.receivedAt),
      sessionNumber: null,
      identifier: null,
      leadId: null,
      latestSession: null,
    }),
  );
  const simple = events.every(
    ({ identifiers, email, clientEventId, value }) =>
      identifiers.length === 0 && email === null && clientEventId === null && value === null,
  );
  if (simple) await insertEvents(inside ?? db, ...eventParameters(drafts));
  else if (inside) await recordAll(inside, drafts, reactions);
  else await db.transaction((tx) => recordAll(tx, drafts, reactions));
  return drafts.map(({ id }) => id);
}

async function recordAll(tx: Tx, drafts: Draft[], reactions: Reactions[]): Promise<void> {
  const known = await takeRecordedIds(tx, drafts);
  const fresh = drafts.filter((draft) => !known.has(draft));
  await resolveSessions(tx, fresh);
  await resolveLeads(tx, fresh);
  const written = new Set((await insertEvents(tx, ...eventParameters(fresh))).map(({ id }) => id));
  const missed = fresh.filter(({ id }) => !written.has(id));
  // Written by another process since the look: its ids are the ones to answer.
  if (missed.length > 0) await takeRecordedIds(tx, missed);
  const recorded = fresh.filter(({ id }) => written.has(id));
  await touch(tx, recorded);
  const valued = recorded.flatMap((draft) => valuedEvent(draft) ?? []);
  if (valued.length > 0) for (const reaction of reactions) await reaction.valuesRecorded(tx, valued);
}

/**
 * Gives drafts whose client's id is recorded, or comes earlier in the batch, the first one's id, and returns those: there
 * is nothing to write for them.
 */
async function takeRecordedIds(tx: Tx, drafts: Draft[]): Promise<Set<Draft>> {
  const named = drafts.filter(({ asked }) => asked.clientEventId !== null);
  if (named.length === 0) return new Set();
  const rows = await findEventsByClientId(
    tx,
    named.map(({ asked }) => asked.accountId),
    named.map(({ asked }) => asked.clientEventId),
  );
  const ids = new Map(rows.map((row) => [`${row.account_id} ${row.client_event_id}`, row.id]));
  const taken = new Set<Draft>();
  for (const draft of named) {
    const key = `${draft.asked.accountId} ${draft.asked.clientEventId}`;
    const first = ids.get(key);
    if (first === undefined) ids.set(key, draft.id);
    else {
      draft.id = first;
      taken.add(draft);
    }
  }
  return taken;
}

async function resolveSessions(tx: Tx, drafts: Draft[]): Promise<void> {
  const lookUps = drafts.flatMap((draft) =>
    draft.asked.identifiers.map((identifier) => ({ draft, accountId: draft.asked.accountId, identifier })),
  );
  const numbers = await findSessions(tx, lookUps);
  lookUps.forEach(({ draft, identifier }, i) => {
    draft.identifier ??= identifier;
    const number = numbers[i];
    if (draft.sessionNumber !== null || number === undefined) return;
    draft.sessionNumber = number;
    draft.identifier = identifier;
  });
}

/** What a batch says of one lead. */
interface Seen {
  accountId: string;
  email: string;
  first: Draft;
  firstSession: number | null;
  latestSession: number | null;
  firstAt: number;
  lastAt: number;
}

async function resolveLeads(tx: Tx, drafts: Draft[]): Promise<void> {
  const seen = new Map<string, Seen>();
  for (const draft of drafts) {
    const { accountId, email, occurredAt } = draft.asked;
    if (email === null) continue;
    const key = `${accountId} ${email}`;
    const lead = seen.get(key);
    if (!lead) {
      seen.set(key, {
        accountId,
        email,
        first: draft,
        firstSession: draft.sessionNumber,
        latestSession: draft.sessionNumber,
        firstAt: occurredAt,
        lastAt: occurredAt,
      });
      continue;
    }
    lead.firstSession ??= draft.sessionNumber;
    lead.latestSession = draft.sessionNumber ?? lead.latestSession;
    lead.firstAt = Math.min(lead.firstAt, occurredAt);
    lead.lastAt = Math.max(lead.lastAt, occurredAt);
  }
  if (seen.size === 0) return;
  const leads = [...seen.values()];
  const rows = await upsertLeads(
    tx,
    leads.map((lead) => lead.accountId),
    leads.map((lead) => lead.email),
    leads.map((lead) => newUuid(lead.first.asked.receivedAt)),
    leads.map((lead) => lead.firstSession),
    leads.map((lead) => lead.latestSession),
    leads.map((lead) => new Date(lead.firstAt)),
    leads.map((lead) => new Date(lead.lastAt)),
  );
  const byKey = new Map(rows.map((row) => [`${row.account_id} ${row.email}`, row]));
  for (const draft of drafts) {
    const row = byKey.get(`${draft.asked.accountId} ${draft.asked.email}`);
    draft.leadId = row?.id ?? null;
    draft.latestSession = row?.latest_session ?? null;
  }
}

async function touch(tx: Tx, drafts: Draft[]): Promise<void> {
  const sessions = new Map<string, { accountId: string; number: number; at: number; leadId: string | null }>();
  for (const { asked, sessionNumber, leadId } of drafts) {
    if (sessionNumber === null) continue;
    const key = `${asked.accountId} ${sessionNumber}`;
    const known = sessions.get(key);
    sessions.set(key, {
      accountId: asked.accountId,
      number: sessionNumber,
      at: Math.max(known?.at ?? 0, asked.occurredAt),
      leadId: leadId ?? known?.leadId ?? null,
    });
  }
  if (sessions.size === 0) return;
  const all = [...sessions.values()];
  await touchSessions(
    tx,
    all.map(({ accountId }) => accountId),
    all.map(({ number }) => number),
    all.map(({ at }) => new Date(at)),
    all.map(({ leadId }) => leadId),
  );
}

function valuedEvent({ asked, id, sessionNumber, identifier, latestSession }: Draft): ValuedEvent | undefined {
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
    sessionNumber: sessionNumber ?? latestSession,
    identifier: identifier && { [identifier.name]: identifier.sent },
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
    drafts.map(({ sessionNumber }) => sessionNumber),
    drafts.map(({ leadId }) => leadId),
    drafts.map(({ asked }) => asked.isBot),
    drafts.map(({ asked }) => new Date(asked.occurredAt)),
    drafts.map(({ asked }) => new Date(asked.receivedAt)),
  ];
}
