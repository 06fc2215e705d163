import { newUuid } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Refusable } from '../../shared/postgres/work.ts';
import type { TrackingHooks, ValuedEvent } from '../hooks.ts';
import type { Identifier } from '../identifiers.ts';
import { type FoundRow, findForEvents, LookupBatch } from '../sessions/find-sessions.ts';
import {
  type EventRow,
  insertEvents,
  type LeadRow,
  type SeenSessionRow,
  writeEvents,
  writeEventsOnce,
} from './event-queries.ts';

/** A validated event. */
export interface NewEvent {
  accountId: string;
  event: string;
  /** `properties`, as JSON. */
  json: string;
  clientEventId: string | null;
  identifiers: Identifier[];
  email: string | null;
  /** Of the person with this email. */
  name: string | null;
  /** A number or numeric string; makes the event a conversion. */
  value: number | string | null;
  currency: unknown;
  isBot: boolean;
  isInternal: boolean;
  /** Whether a server sent it, with a secret token. */
  isTrusted: boolean;
  /** Milliseconds since 1970. */
  occurredAt: number;
  receivedAt: number;
  /** What it was sent with: items of one request arrive together. */
  request: Refusable;
}

/** An event being written. */
interface Draft {
  event: NewEvent;
  id: string;
  /** An earlier event of the batch with the same client id. */
  sameAs: Draft | null;
  session: KnownSession | null;
  identifier: Identifier | null;
  lead: Lead | null;
  /** The lead's latest session at this point of the batch: a value without a session counts for it. */
  leadSession: KnownSession | null;
}

interface KnownSession {
  number: number;
  startedAt: number;
  /** 0: not known. */
  lastSeenAt: number;
  leadId: string | null;
}

interface Lead {
  accountId: string;
  email: string;
  id: string;
  latestSession: KnownSession | null;
  firstSeenAt: number;
  lastSeenAt: number;
  /** What the events of the batch say; null: nothing. */
  name: string | null;
  isChanged: boolean;
}

/** A lead or session that was seen less than a second ago is not written again just for that. */
const FRESH_MS = 1_000;

/**
 * Records events of any accounts, all or none, and returns their ids (UUIDs) in order. An event whose client id was
 * recorded before changes nothing and gets the id of the first one.
 *
 * One statement looks everything up and one writes. Events without a session, lead, client id and value need no lookup.
 * @param inside a transaction to take part in
 */
export async function recordEvents(
  db: Database,
  events: readonly NewEvent[],
  hooks: readonly TrackingHooks[],
  inside?: Tx,
): Promise<string[]> {
  const drafts = events.map((event): Draft => {
    const id = newUuid(event.receivedAt);
    return { event, id, sameAs: null, session: null, identifier: null, lead: null, leadSession: null };
  });
  const unrecorded = await resolve(inside ?? db, drafts);
  const work = (tx: Tx, last: Tx) => write(tx, last, unrecorded, hooks);
  const own = inside ?? db;
  if (inside || !unrecorded.some(({ event }) => event.value !== null)) await work(own, own);
  else await db.transaction(work);
  return drafts.map((draft) => (draft.sameAs ?? draft).id);
}

/**
 * Looks up the sessions, leads and client ids of the drafts and returns the drafts to write: one that was recorded before
 * gets that event's id, and one that occurs twice in the batch is written once.
 */
async function resolve(tx: Tx, drafts: Draft[]): Promise<Draft[]> {
  const batch = new LookupBatch();
  for (const { event } of drafts) {
    for (const { lookupKey, value } of event.identifiers) batch.add(lookupKey, event.accountId, value);
    if (event.clientEventId !== null) batch.add(eventKey(event), event.accountId, event.clientEventId);
    const { accountId, email, value, identifiers } = event;
    if (email !== null) batch.addLead(accountId, email, value !== null && identifiers.length === 0);
  }
  if (batch.isEmpty) return drafts;
  const find = batch.index(await findForEvents(tx, batch.eventParameters()));
  const findLead = await findLeadsOfUnknown(tx, drafts, find);
  const firsts = new Map<string, Draft>();
  const leads = new Map<string, Lead>();
  return drafts.filter((draft) => {
    const { accountId, clientEventId, email, identifiers } = draft.event;
    if (clientEventId !== null) {
      const key = `${accountId} ${eventKey(draft.event)} ${clientEventId}`;
      const recordedId = find(eventKey(draft.event), accountId, clientEventId)?.id;
      draft.sameAs = firsts.get(key) ?? null;
      if (recordedId) draft.id = recordedId;
      if (recordedId || draft.sameAs) return false;
      firsts.set(key, draft);
    }
    draft.identifier = identifiers[0] ?? null;
    for (const identifier of identifiers) {
      const session = sessionOf(find(identifier.lookupKey, accountId, identifier.value));
      if (!session) continue;
      draft.session = session;
      draft.identifier = identifier;
      break;
    }
    if (email !== null) {
      const key = `${accountId} ${email}`;
      const lead = leads.get(key) ?? leadOf(email, findLead(accountId, email), draft.event);
      leads.set(key, lead);
      seeLead(lead, draft);
      draft.lead = lead;
      draft.leadSession = lead.latestSession;
    }
    return true;
  });
}

type Find = ReturnType<LookupBatch['index']>;

/**
 * A value without a session counts for its lead's latest one. Of leads whose events have identifiers it is only looked up
 * when no session has these, which is rare.
 */
async function findLeadsOfUnknown(tx: Tx, drafts: readonly Draft[], find: Find) {
  const batch = new LookupBatch();
  for (const { event } of drafts) {
    const { accountId, email, value, identifiers } = event;
    if (email === null || value === null || identifiers.length === 0) continue;
    const isFound = identifiers.some((each) => sessionOf(find(each.lookupKey, accountId, each.value)));
    if (!isFound) batch.addLead(accountId, email, true);
  }
  const again = batch.isEmpty ? undefined : batch.index(await findForEvents(tx, batch.eventParameters()));
  return (accountId: string, email: string) => again?.('lead', accountId, email) ?? find('lead', accountId, email);
}

/** Client ids of pages and of servers are separate, so that a page cannot occupy a server's. */
function eventKey({ isTrusted }: NewEvent): 'event' | 'trusted_event' {
  return isTrusted ? 'trusted_event' : 'event';
}

function sessionOf(row: FoundRow | undefined): KnownSession | null {
  if (row === undefined || row.number === null || row.started_at === null) return null;
  const { number, started_at: startedAt, seen_at: seenAt, lead_id: leadId } = row;
  return { number, startedAt: startedAt.getTime(), lastSeenAt: seenAt?.getTime() ?? 0, leadId };
}

function leadOf(email: string, row: FoundRow | undefined, event: NewEvent): Lead {
  return {
    accountId: event.accountId,
    email,
    id: row?.id ?? newUuid(event.receivedAt),
    latestSession: sessionOf(row),
    firstSeenAt: row?.first_seen_at?.getTime() ?? event.occurredAt,
    lastSeenAt: row?.seen_at?.getTime() ?? 0,
    name: null,
    isChanged: row === undefined,
  };
}

function seeLead(lead: Lead, { event: { occurredAt, name }, session }: Draft): void {
  lead.isChanged ||= occurredAt > lead.lastSeenAt + FRESH_MS || occurredAt < lead.firstSeenAt || name !== null;
  lead.name = name ?? lead.name;
  if (session && session.startedAt >= (lead.latestSession?.startedAt ?? 0)) lead.latestSession = session;
  lead.firstSeenAt = Math.min(lead.firstSeenAt, occurredAt);
  lead.lastSeenAt = Math.max(lead.lastSeenAt, occurredAt);
}

/** @param last see `Database.transaction` */
async function write(tx: Tx, last: Tx, drafts: Draft[], hooks: readonly TrackingHooks[]): Promise<void> {
  if (drafts.length === 0) return;
  const leads = leadRows(drafts);
  const sessions = seenSessionRows(drafts);
  const parameters = () => ({
    events: drafts.map((draft) => ({ ...eventRow(draft), email: changedEmail(draft.lead) })),
    leads,
    sessions,
    now: Math.max(...drafts.map(({ event }) => event.receivedAt)),
  });
  if (drafts.some(({ event }) => event.clientEventId !== null)) {
    const found = await writeEventsOnce(tx, parameters());
    if (found.length < drafts.length) {
      const written = new Set(found.map(({ id }) => id));
      const missed = drafts.filter(({ id }) => !written.has(id));
      // Another process has recorded them since the lookup: return its ids.
      if ((await resolve(tx, missed)).length > 0) throw new Error('an event was neither written nor found');
      drafts = drafts.filter(({ id }) => written.has(id));
    }
    await notify(tx, last, drafts, hooks);
    return;
  }
  const isPlain = leads.length + sessions.length === 0;
  const writing = isPlain ? insertEvents(tx, { events: drafts.map(eventRow) }) : writeEvents(tx, parameters());
  // Sent together.
  await Promise.all([writing, notify(tx, last, drafts, hooks)]);
}

async function notify(tx: Tx, last: Tx, drafts: readonly Draft[], hooks: readonly TrackingHooks[]): Promise<void> {
  const valued = drafts.flatMap((draft) => valuedEvent(draft) ?? []);
  if (valued.length === 0) return;
  const final = hooks.at(-1);
  for (const hook of hooks) await hook.valuesRecorded(tx, hook === final ? last : tx, valued);
}

function valuedEvent({ event, id, session, identifier, leadSession }: Draft): ValuedEvent | undefined {
  const { value } = event;
  if (value === null) return undefined;
  return {
    accountId: event.accountId,
    id,
    clientEventId: event.clientEventId,
    event: event.event,
    value,
    currency: event.currency,
    occurredAt: new Date(event.occurredAt),
    receivedAt: new Date(event.receivedAt),
    sessionNumber: (session ?? leadSession)?.number ?? null,
    identifier: identifier && { [identifier.name]: identifier.sent },
    identifierDigest: identifier?.digest ?? null,
    isTrusted: event.isTrusted,
  };
}

function eventRow({ event, id, session, lead }: Draft): EventRow {
  return {
    account_id: event.accountId,
    id,
    client_event_id: event.clientEventId,
    is_trusted: event.isTrusted,
    event: event.event,
    properties: event.json,
    session_number: session?.number ?? null,
    lead_id: lead?.id ?? null,
    is_bot: event.isBot,
    is_internal: event.isInternal,
    occurred_at: event.occurredAt,
    received_at: event.receivedAt,
  };
}

function changedEmail(lead: Lead | null): string | null {
  return lead?.isChanged ? lead.email : null;
}

function leadRows(drafts: readonly Draft[]): LeadRow[] {
  const leads = new Set(drafts.flatMap(({ lead }) => (lead?.isChanged ? [lead] : [])));
  return [...leads].map((lead) => ({
    account_id: lead.accountId,
    email: lead.email,
    id: lead.id,
    first_seen_at: lead.firstSeenAt,
    last_seen_at: lead.lastSeenAt,
    name: lead.name,
  }));
}

/** The sessions that the events prolong or link to another lead, each once, with the lead that was named last. */
function seenSessionRows(drafts: readonly Draft[]): SeenSessionRow[] {
  const sessions = new Map<string, { accountId: string; session: KnownSession; seenAt: number; lead: Lead | null }>();
  for (const { event, session, lead } of drafts) {
    if (session === null) continue;
    const key = `${event.accountId} ${session.number}`;
    const known = sessions.get(key);
    sessions.set(key, {
      accountId: event.accountId,
      session,
      seenAt: Math.max(known?.seenAt ?? 0, event.occurredAt),
      lead: lead ?? known?.lead ?? null,
    });
  }
  const changed = [...sessions.values()].filter(({ session, seenAt, lead }) => {
    return seenAt > session.lastSeenAt + FRESH_MS || (lead !== null && lead.id !== session.leadId);
  });
  return changed.map(({ accountId, session, seenAt, lead }) => ({
    account_id: accountId,
    number: session.number,
    seen_at: seenAt,
    lead_id: lead?.id ?? null,
    email: changedEmail(lead),
  }));
}
