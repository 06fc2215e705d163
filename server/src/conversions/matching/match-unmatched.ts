import type { Database } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { findSessions, type Identifier, readIdentifier } from '../../tracking/index.ts';
import { LIMITS } from '../limits.ts';
import { recordReports } from '../report/record-reports.ts';
import { rebuildFromRevisions, takeUnmatched, type UnmatchedRow } from './queries.ts';

/** How long unmatched reports are kept. */
export const KEPT_MS = LIMITS.unmatchedDays * DAY;

export interface UnmatchedReport {
  accountId: string;
  id: string;
  identifier: Identifier;
}

/**
 * Records the unmatched reports whose session exists by now. Each takes effect at its place in the order of arrival: it
 * does not override a later report that was matched before it. Safe in any number of processes at once.
 * @returns how many were recorded
 */
export async function matchUnmatched(
  db: Database,
  unmatched: readonly UnmatchedReport[],
  now: number,
): Promise<number> {
  const sessions = await findSessions(db, unmatched);
  const matched = new Map<string, { sessionNumber: number; digest: string }>();
  const reports = unmatched.flatMap(({ accountId, id, identifier: { digest } }, i) => {
    const sessionNumber = sessions[i];
    if (sessionNumber === undefined) return [];
    matched.set(id, { sessionNumber, digest });
    return [{ account_id: accountId, id }];
  });
  if (reports.length === 0) return 0;

  return db.transaction(async (tx) => {
    const taken = await takeUnmatched(tx, { reports, since: unmatchedSince(now) });
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
        sessionNumber: matched.get(row.id)?.sessionNumber ?? null,
        digest: matched.get(row.id)?.digest ?? null,
        isUnmatched: false,
        receivedAt: isoTime(row.received_at),
        origin: 'report' as const,
        isTrusted: true,
        fingerprint: null,
        arrival: row.arrival,
        importId: row.import_id,
        knownAt: row.import_id === null ? isoTime(now) : row.known_at && isoTime(row.known_at),
      })),
      now,
    );
    const restated = new Map<string, { account_id: string; id: string }>();
    for (const [i, { account_id }] of taken.entries()) {
      const { id, outcome } = recorded[i] ?? {};
      if (id !== undefined && outcome === 'restated') restated.set(id, { account_id, id });
    }
    if (restated.size > 0) await rebuildFromRevisions(tx, { conversions: [...restated.values()] });
    return taken.length;
  });
}

/** Reports that arrived before this time have expired. */
export function unmatchedSince(now: number): Date {
  return new Date(now - KEPT_MS);
}

export function unmatchedReportOf(ids: SessionIds, row: UnmatchedRow): UnmatchedReport {
  const identifier = readIdentifier(ids, row.identifier);
  if ('code' in identifier) throw new Error('an unmatched report has no identifier');
  return { accountId: row.account_id, id: row.id, identifier };
}
