import { readCurrency } from '../../shared/currency.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { ValuedEvent } from '../../tracking/index.ts';
import { readAmount } from './amount.ts';
import { type Report, recordIfAbsent, recordReports } from './record-reports.ts';

/**
 * Records events with a value as conversions of origin `event`, in the transaction that records the events. An event from
 * a server restates the conversion of its id like a report. An event from a page, whose key is public, never changes an
 * existing conversion. A value outside the limits of a report is ignored.
 */
export async function recordEventValues(tx: Tx, last: Tx, events: readonly ValuedEvent[], now: number): Promise<void> {
  const fromPages: Report[] = [];
  const fromServers: Report[] = [];
  for (const event of events) {
    const value = readAmount(event.value);
    if (value === undefined) continue;
    (event.isTrusted ? fromServers : fromPages).push({
      accountId: event.accountId,
      eventId: event.clientEventId,
      event: event.event,
      value,
      currency: readCurrency(event.currency) ?? null,
      createdOn: isoTime(event.occurredAt),
      extra: null,
      identifier: event.identifier && JSON.stringify(event.identifier),
      sessionNumber: event.sessionNumber,
      digest: event.identifierDigest,
      isUnmatched: false,
      receivedAt: isoTime(event.receivedAt),
      origin: 'event',
      isTrusted: event.isTrusted,
      fingerprint: null,
      arrival: null,
      importId: null,
      knownAt: null,
    });
  }
  if (fromServers.length === 0) return recordIfAbsent(last, fromPages, now);
  await recordIfAbsent(tx, fromPages, now);
  await recordReports(tx, fromServers, now);
}
