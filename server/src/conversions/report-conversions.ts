import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { findSessions } from '../tracking/index.ts';
import type { ConversionResult } from './contract.ts';
import type { Waiting } from './match-waiting.ts';
import { findOwnIdentifiers } from './queries.ts';
import type { ReadItem, ReadReport } from './read-report.ts';
import { type Report, recordReports } from './record-reports.ts';

export interface Reported {
  /** One for each item, in order. */
  results: ConversionResult[];
  /** The reports among them whose session is not known. */
  waiting: Waiting[];
  /** How many of them restated a conversion. */
  restated: number;
}

/**
 * Reports conversions: finds the session of each by one statement and records them all by two (interface: Conversions,
 * rules 2, 4, 5, 7). Items with faults only get their result.
 */
export async function reportConversions(
  tx: Tx,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
): Promise<Reported> {
  const recorded = await recordReports(tx, await resolveReports(tx, accountId, items, now), now);

  const waiting: Waiting[] = [];
  let at = 0;
  const results = items.map(({ report, faults }): ConversionResult => {
    if (faults) return failed(faults);
    const { id, outcome } = recorded[at++] ?? {};
    if (id === undefined) throw new Error('a report was not recorded');
    const reason = report.reason === undefined ? {} : { reason: report.reason };
    if (outcome !== 'waiting') return { _id: publicId('cnv', id), reported: true, status: 'reported', ...reason };
    waiting.push({ accountId, id, identifier: report.identifier });
    return { reported: false, status: 'unmatched', ...reason };
  });
  return { results, waiting, restated: recorded.filter((each) => each?.outcome === 'restated').length };
}

/** The items without faults as reports, each with its session where one is known: what they are before they are recorded. */
export async function resolveReports(
  tx: Tx,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
): Promise<Report[]> {
  const read = items.flatMap((item) => item.report ?? []);
  const sessions = await findSessions(
    tx,
    read.map(({ identifier }) => ({ accountId, identifier })),
  );
  const receivedAt = isoTime(now);
  const isOwn = await ownIdentifiers(
    tx,
    accountId,
    read.filter((_, i) => sessions[i] === undefined),
  );
  return read.map((report, i) => reportOf(accountId, report, sessions[i], isOwn(report), receivedAt));
}

/**
 * Tells which of the reports name a conversion by its `eventId` and by the very identifier it once matched with: they
 * restate it, though its session is gone. Asks only where there is an `eventId`.
 */
async function ownIdentifiers(tx: Tx, accountId: string, reports: readonly ReadReport[]) {
  const named = reports.filter(({ eventId }) => eventId !== null);
  const rows =
    named.length === 0
      ? []
      : await findOwnIdentifiers(
          tx,
          accountId,
          named.map(({ eventId }) => eventId),
          named.map(({ identifier }) => identifier.digest),
        );
  const own = new Set(rows.map((row) => `${row.digest} ${row.event_id}`));
  return ({ eventId, identifier }: ReadReport) => own.has(`${identifier.digest} ${eventId}`);
}

function reportOf(
  accountId: string,
  { identifier, event, createdOn, eventId, value, currency, extra }: ReadReport,
  session: number | undefined,
  isOwn: boolean,
  receivedAt: string,
): Report {
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
    waits: session === undefined && !isOwn,
    receivedAt,
    origin: 'report',
    arrival: null,
  };
}

/** The result of an item that cannot be read. */
export function failed(faults: NonNullable<ReadItem['faults']>): ConversionResult {
  const sentences = new Set(faults.map(({ detail }) => detail));
  return { reported: false, status: 'failed', error: faults[0].code, reason: [...sentences].join(' ') };
}
