import { type ConversionView, describeConversions } from '../conversions/index.ts';
import { describeJobs } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import type { OutboxRow } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import {
  describeEvents,
  describeLeads,
  describeSessions,
  eventView,
  type Named,
  type SessionView,
  sessionKey,
} from '../tracking/index.ts';

/** What is to be pushed, before it has an id. */
export interface Payload {
  accountId: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  /** Whose it is, for erasing. */
  sessionNumber: number | null;
  leadId: string | null;
}

/** A change that the outbox tells of. */
interface Change {
  accountId: string;
  topic: string;
  id: string;
  sequence: number;
  data: unknown;
  at: string;
}

/** A payload that still lacks the sessions it names. */
interface Draft {
  change: Change;
  view: Record<string, unknown>;
  sessions: Record<string, number | null>;
  leadId: string | null;
}

/**
 * Makes the payloads of what the outbox tells, complete, by a statement for each sort of thing. What is not there any more
 * (by its account's own wish: erased, or past its retention) is left out.
 */
export async function makePayloads(deps: Deps, tx: Tx, rows: readonly OutboxRow[]): Promise<Payload[]> {
  const changes = rows.flatMap(changesOf);
  const of = (prefix: string) => changes.filter(({ topic }) => topic.startsWith(prefix));
  const drafts = [
    ...(await eventDrafts(tx, of('event.'))),
    ...(await leadDrafts(tx, of('lead.'))),
    ...(await conversionDrafts(tx, of('conversion.'))),
    ...of('entry.').map((change) => draft(change, change.data as object)),
    ...(await jobDrafts(deps, tx, of('job.'))),
  ];
  const named = drafts.flatMap(({ change, sessions }) =>
    Object.values(sessions).flatMap((id): Named<number>[] =>
      id === null ? [] : [{ accountId: change.accountId, id }],
    ),
  );
  const found = await describeSessions(tx, named);
  return drafts.map((each) => payloadOf(each, found));
}

function changesOf({ account_id, topic, resources, sequences, data, at }: OutboxRow): Change[] {
  return resources.map((id, i) => ({
    accountId: account_id,
    topic,
    id,
    sequence: Number(sequences?.[i] ?? 1),
    data: data?.[i],
    at: isoTime(at),
  }));
}

function draft(change: Change, view: object, sessions: Draft['sessions'] = {}, leadId: string | null = null): Draft {
  return { change, view: { ...view }, sessions, leadId };
}

async function eventDrafts(tx: Tx, changes: readonly Change[]): Promise<Draft[]> {
  if (changes.length === 0) return [];
  const events = await describeEvents(tx, changes);
  return changes.flatMap((change) => {
    const row = events.get(change.id);
    if (!row) return [];
    const at = isoTime(row.received_at);
    return draft({ ...change, at }, eventView(row), { session: row.session_number }, row.lead_id);
  });
}

async function leadDrafts(tx: Tx, changes: readonly Change[]): Promise<Draft[]> {
  if (changes.length === 0) return [];
  const leads = await describeLeads(tx, changes);
  return changes.flatMap((change) => {
    const row = leads.get(change.id);
    if (!row) return [];
    const { firstSeenAt, lastSeenAt } = change.data as { firstSeenAt: string; lastSeenAt: string };
    const view = {
      id: publicId('led', row.id),
      email: row.email,
      firstSeenAt: isoTime(Date.parse(firstSeenAt)),
      lastSeenAt: isoTime(Date.parse(lastSeenAt)),
    };
    return draft(change, view, { firstSession: row.first_session, latestSession: row.latest_session }, row.id);
  });
}

async function conversionDrafts(tx: Tx, changes: readonly Change[]): Promise<Draft[]> {
  if (changes.length === 0) return [];
  const asked = changes.map(({ accountId, id, sequence }) => ({ accountId, id, version: sequence }));
  const views = await describeConversions(tx, asked);
  return changes.flatMap((change, i) => {
    const found: ConversionView | undefined = views[i];
    return found ? draft(change, found.view, { session: found.sessionNumber }) : [];
  });
}

async function jobDrafts(deps: Deps, tx: Tx, changes: readonly Change[]): Promise<Draft[]> {
  if (changes.length === 0) return [];
  const jobs = await describeJobs(deps, tx, changes);
  return changes.flatMap((change) => {
    const job = jobs.get(change.id);
    return job ? draft(change, job) : [];
  });
}

function payloadOf({ change, view, sessions, leadId }: Draft, found: Map<string, SessionView>): Payload {
  const { accountId, topic, sequence, at } = change;
  const data = view;
  for (const [member, number] of Object.entries(sessions)) {
    data[member] = number === null ? null : (found.get(sessionKey(accountId, number)) ?? null);
  }
  data.sequence = sequence;
  const sessionNumber = Object.values(sessions).find((number) => number !== null) ?? null;
  return { accountId, type: topic, timestamp: at, data, sessionNumber, leadId };
}
