import type { Database } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { findSessions, type Identifier, readIdentifier } from '../tracking/index.ts';
import { foldRevisions, takeWaiting, type WaitingRow } from './queries.ts';
import { recordReports } from './record-reports.ts';

/** How long a report waits. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** A report that waits for its session. */
export interface Waiting {
  accountId: string;
  id: string;
  identifier: Identifier;
}

/**
 * Records those of the waiting reports whose session there is by now. Each takes effect at its place in the order of
 * arrival: it does not undo a later report that was matched before it. Safe on any number of processes at once.
 * @returns how many were recorded
 */
export async function matchWaiting(db: Database, waiting: readonly Waiting[], now: number): Promise<number> {
  const found = new Map<string, number>();
  const sessions = await findSessions(db, waiting);
  const matched = waiting.filter(({ id }, i) => {
    const session = sessions[i];
    if (session !== undefined) found.set(id, session);
    return session !== undefined;
  });
  if (matched.length === 0) return 0;

  return db.transaction(async (tx) => {
    const taken = await takeWaiting(
      tx,
      matched.map(({ accountId }) => accountId),
      matched.map(({ id }) => id),
      waitingSince(now),
    );
    const digests = new Map(matched.map(({ id, identifier }) => [id, identifier.digest]));
    taken.sort((a, b) => a.arrival - b.arrival);
    const recorded = await recordReports(
      tx,
      taken.map((row) => ({
        accountId: row.account_id,
        eventId: row.event_id,
        event: row.sent_event,
        value: row.value,
        currency: row.currency,
        createdOn: row.sent_created_on && isoTime(row.sent_created_on),
        extra: row.extra,
        identifier: row.identifier,
        sessionNumber: found.get(row.id) ?? null,
        digest: digests.get(row.id) ?? null,
        waits: false,
        receivedAt: isoTime(row.received_at),
        origin: 'report' as const,
        arrival: row.arrival,
      })),
      now,
    );
    const restated = new Map<string, string>();
    for (const [i, row] of taken.entries()) {
      const { id, outcome } = recorded[i] ?? {};
      if (id !== undefined && outcome === 'restated') restated.set(id, row.account_id);
    }
    if (restated.size > 0) await foldRevisions(tx, [...restated.values()], [...restated.keys()]);
    return taken.length;
  });
}

/** What came before does not wait any more. */
export function waitingSince(now: number): Date {
  return new Date(now - KEPT_MS);
}

export function waitingOf(row: WaitingRow): Waiting {
  const identifier = readIdentifier(row.identifier);
  if ('code' in identifier) throw new Error('a waiting report has no identifier');
  return { accountId: row.account_id, id: row.id, identifier };
}
