import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { ValuedEvent } from '../tracking/index.ts';
import { readAmount } from './amount.ts';
import { readCurrency } from './currency.ts';
import { type Report, recordReports } from './record-reports.ts';

/**
 * Records events with a value as conversions of origin `event`, in the transaction that records the events, each of which
 * is told once. One that a server sent restates the conversion of its event id like a report; one from a page, whose key
 * anybody can read, leaves it as it is. A value beyond what a report may have does not count.
 */
export async function recordEventValues(tx: Tx, events: readonly ValuedEvent[], now: number): Promise<void> {
  const fromPages: Report[] = [];
  const fromServers: Report[] = [];
  for (const event of events) {
    const value = readAmount(event.value);
    if (value === undefined) continue;
    (event.trusted ? fromServers : fromPages).push({
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
      waits: false,
      receivedAt: isoTime(event.receivedAt),
      origin: 'event',
      arrival: null,
    });
  }
  await recordReports(tx, fromPages, now, 'leave');
  await recordReports(tx, fromServers, now);
}
