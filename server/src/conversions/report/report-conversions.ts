import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { findSessions, uuidDigest } from '../../tracking/index.ts';
import { erasedStub } from '../erased-stubs.ts';
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

/** The account whose conversions are reported, and the instance's secret. */
interface Reporter {
  accountId: string;
  secret: Buffer;
}

/**
 * Reports conversions: finds all sessions with one statement and records all reports with two (interface: Conversions,
 * rules 2, 4, 5, 7). An invalid item only gets its result.
 * @param importId UUID of the import that contains the items
 */
export async function reportConversions(
  tx: Tx,
  reporter: Reporter,
  items: readonly ReadItem[],
  now: number,
  importId: string | null = null,
): Promise<ReportOutcome> {
  const { accountId } = reporter;
  const recorded = await recordReports(tx, await resolveReports(tx, reporter, items, now, importId), now);

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
  reporter: Reporter,
  items: readonly ReadItem[],
  now: number,
  importId: string | null = null,
): Promise<Report[]> {
  const { accountId } = reporter;
  const reports = items.flatMap((item) => item.report ?? []);
  const sessions = await findSessions(
    tx,
    reports.map(({ identifier }) => ({ accountId, identifier })),
  );
  const withoutSession = reports.filter((_, i) => sessions[i] === undefined);
  const ownIdentifiers = await findMatchedBefore(tx, reporter, withoutSession);
  const receivedAt = isoTime(now);
  return reports.map((report, i): Report => {
    const { identifier, event, createdOn, eventId, value, currency, extra, knownAt } = report;
    const session = sessions[i];
    const known = session === undefined ? ownIdentifiers.get(ownKey(report)) : undefined;
    const isUnmatched = session === undefined && known === undefined;
    // Of an erased person, only what changes sums is stored again.
    const isErased = known?.is_erased === true;
    return {
      accountId,
      eventId,
      event,
      value,
      currency,
      createdOn,
      extra: isErased ? null : extra,
      identifier: isErased ? null : JSON.stringify({ [identifier.name]: identifier.sent }),
      sessionNumber: session ?? null,
      digest: isErased ? null : identifier.digest,
      isUnmatched,
      receivedAt,
      origin: 'report',
      isTrusted: true,
      fingerprint: isUnmatched ? fingerprintOf(report) : null,
      arrival: null,
      importId,
      knownAt,
    };
  });
}

/**
 * The reports whose `eventId` names a conversion that was matched by the same identifier: they restate it although its
 * session was deleted or its person erased.
 */
async function findMatchedBefore(
  tx: Tx,
  { accountId, secret }: Reporter,
  reports: readonly ReadReport[],
): Promise<ReadonlyMap<string, { is_erased: boolean }>> {
  const named = reports.flatMap(({ eventId, identifier: { digest } }) =>
    eventId === null ? [] : [{ event_id: eventId, digest, stub: erasedStub(secret, accountId, eventId, digest) }],
  );
  if (named.length === 0) return new Map();
  const found = await findOwnIdentifiers(tx, { account_id: accountId, reports: named });
  return new Map(found.map((row) => [`${row.digest} ${row.event_id}`, row]));
}

function ownKey({ eventId, identifier }: ReadReport): string {
  return `${identifier.digest} ${eventId}`;
}

/** Of everything that was sent, but not of a time of arrival that replaced `createdOn`. */
function fingerprintOf({ identifier, event, createdOn, eventId, value, currency, extra, isTimeReplaced }: ReadReport) {
  if (eventId !== null) return null;
  const sentCreatedOn = isTimeReplaced ? null : createdOn;
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
