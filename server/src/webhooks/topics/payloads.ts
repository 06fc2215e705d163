import type { Deps } from '../../shared/deps.ts';
import type { OutboxRow } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { loadSessions, type SessionSummary, sessionKey } from '../../tracking/index.ts';
import { isTopic, REGISTRY } from './registry.ts';
import type { Change, Draft } from './topic.ts';

/** A message to send, before it has an id. */
export interface Payload {
  accountId: string;
  type: string;
  timestamp: string;
  data: object;
  /** Whose personal data it contains, for erasure. */
  sessionNumber: number | null;
  leadId: string | null;
  /** UUID of the resource, and how many changes it had; null: of none. */
  resourceId: string | null;
  sequence: number | null;
}

/**
 * Builds the payloads of outbox rows, with one query for each family of topics and one for all sessions. Omits resources
 * that were erased or deleted since.
 */
export async function buildPayloads(deps: Deps, tx: Tx, rows: readonly OutboxRow[]): Promise<Payload[]> {
  const drafts: Draft[] = [];
  const byLoader = Map.groupBy(rows.flatMap(changesOf), ({ topic }) => REGISTRY[topic].load);
  for (const [load, changes] of byLoader) if (load) drafts.push(...(await load(deps, tx, changes)));
  const named = drafts.flatMap(({ change, sessions = {} }) =>
    Object.values(sessions).flatMap((number) => (number === null ? [] : [{ accountId: change.accountId, number }])),
  );
  const found = await loadSessions(tx, deps.sessionIds, named);
  return drafts.map((draft) => payloadOf(draft, found));
}

function changesOf({ account_id, topic, resources, sequences, data, at }: OutboxRow): Change[] {
  if (!isTopic(topic)) return [];
  return resources.map((id, i) => ({
    accountId: account_id,
    topic,
    id,
    sequence: Number(sequences?.[i] ?? 1),
    data: data?.[i],
    at: isoTime(at),
  }));
}

function payloadOf(draft: Draft, found: ReadonlyMap<string, SessionSummary>): Payload {
  const { change, sessions = {}, leadId = null } = draft;
  const { accountId, topic, sequence, at } = change;
  const data: Record<string, unknown> = { ...draft.data };
  let sessionNumber: number | null = null;
  for (const [member, number] of Object.entries(sessions)) {
    data[member] = number === null ? null : (found.get(sessionKey(accountId, number)) ?? null);
    sessionNumber ??= number;
  }
  data.sequence = sequence;
  return { accountId, type: topic, timestamp: at, data, sessionNumber, leadId, resourceId: change.id, sequence };
}
