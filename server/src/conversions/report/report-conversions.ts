import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { findSessions, uuidDigest } from '../../tracking/index.ts';
import { KEPT_MS, type UnmatchedReport } from '../matching/match-unmatched.ts';
import type { ConversionResult } from './contract.ts';
import { findOwnIdentifiers } from './queries.ts';
import type { ReadItem, ReadReport } from './read-report.ts';
import { type Report, recordReports } from './record-reports.ts';

export interface ReportOutcome {
  /** One for each item, in order. */
  results: ConversionResult[];
  unmatched: UnmatchedReport[];
  /** How many reports restated a conversion. */
  restated: number;
}

/**
 * Reports conversions: finds all sessions with one statement and records all reports with two (interface: Conversions,
 * rules 2, 4, 5, 7). An invalid item only gets its result.
 * @param importId UUID of the import that contains the items
 */
export async function reportConversions(
  tx: Tx,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
  importId: string | null = null,
): Promise<ReportOutcome> {
  const recorded = await recordReports(tx, await resolveReports(tx, accountId, items, now, importId), now);

  const unmatched: UnmatchedReport[] = [];
  let next = 0;
  const results = items.map(({ report, faults }): ConversionResult => {
    if (faults) return failedResult(faults);
    const { id, outcome } = recorded[next++] ?? {};
    if (id === undefined) throw new Error('a report was not recorded');
    if (outcome === 'unmatched') {
      unmatched.push({ accountId, id, identifier: report.identifier });
      return unmatchedResult(report, now);
    }
    const reason = report.reason === undefined ? {} : { reason: report.reason };
    return { _id: publicId('cnv', id), reported: true, status: 'reported', ...reason };
  });
  return { results, unmatched, restated: recorded.filter(({ outcome }) => outcome === 'restated').length };
}

/** The valid items as reports to be recorded, each with its session if that is known. */
export async function resolveReports(
  tx: Tx,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
  importId: string | null = null,
): Promise<Report[]> {
  const reports = items.flatMap((item) => item.report ?? []);
  const sessions = await findSessions(
    tx,
    reports.map(({ identifier }) => ({ accountId, identifier })),
  );
  const withoutSession = reports.filter((_, i) => sessions[i] === undefined);
  const ownIdentifiers = await findMatchedBefore(tx, accountId, withoutSession);
  const receivedAt = isoTime(now);
  return reports.map((report, i): Report => {
    const { identifier, event, createdOn, eventId, value, currency, extra } = report;
    const session = sessions[i];
    const isUnmatched = session === undefined && !ownIdentifiers.has(ownKey(report));
    return {
      accountId,
      eventId,
      event,
      value,
      currency,
      createdOn,
      extra,
      identifier: JSON.stringify({ [identifier.name]: identifier.sent }),
      sessionNumber: session ?? null,
      digest: identifier.digest,
      isUnmatched,
      receivedAt,
      origin: 'report',
      isTrusted: true,
      fingerprint: isUnmatched ? fingerprintOf(report) : null,
      arrival: null,
      importId,
    };
  });
}

/**
 * The reports whose `eventId` names a conversion that was matched by the same identifier: they restate it although its
 * session was deleted.
 */
async function findMatchedBefore(
  tx: Tx,
  accountId: string,
  reports: readonly ReadReport[],
): Promise<ReadonlySet<string>> {
  const named = reports.flatMap(({ eventId, identifier }) =>
    eventId === null ? [] : [{ event_id: eventId, digest: identifier.digest }],
  );
  if (named.length === 0) return new Set();
  const found = await findOwnIdentifiers(tx, { account_id: accountId, reports: named });
  return new Set(found.map((row) => `${row.digest} ${row.event_id}`));
}

function ownKey({ eventId, identifier }: ReadReport): string {
  return `${identifier.digest} ${eventId}`;
}

/** Of everything that was sent, but not of a time of arrival that replaced `createdOn`. */
function fingerprintOf({ identifier, event, createdOn, eventId, value, currency, extra, reason }: ReadReport) {
  if (eventId !== null) return null;
  const sentCreatedOn = reason === undefined ? createdOn : null;
  return uuidDigest(JSON.stringify([identifier.digest, event, sentCreatedOn, value, currency, extra]));
}

export function unmatchedResult({ reason }: ReadReport, now: number): ConversionResult {
  const until = isoTime(now + KEPT_MS).slice(0, 10);
  const unmatched = `No session has this identifier. The report is kept until ${until} and takes effect when one arrives.`;
  return { reported: false, status: 'unmatched', reason: reason === undefined ? unmatched : `${reason} ${unmatched}` };
}

export function failedResult(faults: NonNullable<ReadItem['faults']>): ConversionResult {
  const sentences = new Set(faults.map(({ detail }) => detail));
  return { reported: false, status: 'failed', error: faults[0].code, reason: [...sentences].join(' ') };
}
