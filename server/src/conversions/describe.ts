import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { describeConversionRows } from './queries.ts';

/** A conversion as it was after one of its changes, as others are told of it; its session stands beside it. */
export interface ConversionView {
  sessionNumber: number | null;
  view: {
    id: string;
    eventId: string | null;
    event: string;
    /** Decimal. */
    value: string | null;
    currency: string | null;
    createdOn: string;
    receivedAt: string;
    origin: 'report' | 'event';
    identifier: object | null;
    extra: object | null;
  };
}

/**
 * Conversions by their UUID, each as it was at a version of it, in order; undefined for what is not there any more. What
 * was erased since is erased in all versions.
 */
export async function describeConversions(
  tx: Tx,
  asked: readonly { accountId: string; id: string; version: number }[],
): Promise<(ConversionView | undefined)[]> {
  const rows = await describeConversionRows(
    tx,
    asked.map(({ accountId }) => accountId),
    asked.map(({ id }) => id),
    asked.map(({ version }) => version),
  );
  const found = new Map(rows.map((row) => [`${row.id} ${row.version}`, row]));
  return asked.map(({ id, version }) => {
    const row = found.get(`${id} ${version}`);
    if (!row) return undefined;
    return {
      sessionNumber: row.session_number,
      view: {
        id: publicId('cnv', id),
        eventId: row.event_id,
        event: row.event ?? 'conversion',
        value: row.value,
        currency: row.currency,
        createdOn: isoTime(row.created_on ?? row.received_at),
        receivedAt: isoTime(row.received_at),
        origin: row.origin,
        identifier: row.identifier,
        extra: row.extra,
      },
    };
  });
}
