import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { type DestinationWithCounts, MAX_COUNT } from '../contract.ts';
import type { DestinationDeliveriesQuery, DestinationDelivery } from '../delivery-contract.ts';
import { type DestinationRow, findDestinations } from '../manage/queries.ts';
import { requireDestination, serializeDestination } from '../manage/serialize.ts';
import {
  countDeliveries,
  type DeliveryRow,
  findConversionDeliveries,
  listByStatus,
  listDeliveries,
  listQueued,
} from './queries.ts';

/** What a destination has queued and sent, the latest change first. @throws 404 */
export async function listDeliveryPage(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  destinationId: string,
  query: DestinationDeliveriesQuery,
): Promise<{ deliveries: DestinationDelivery[]; nextPageToken: string | null }> {
  const destination = await requireDestination(tx, accountId, destinationId);
  const { status } = query;
  const { rows, nextPageToken } = await keysetPage<DeliveryRow, [string, string]>({
    tokens: pageTokens,
    scope: [accountId, `/v1/destinations/${destinationId}/deliveries`, status ?? null],
    query,
    read: (after, limit) => {
      const [before_time = null, before_id = null] = after ?? [];
      const page = { account_id: accountId, destination_id: destination.id, before_time, before_id, limit };
      if (status === undefined) return listDeliveries(tx, page);
      return status === 'queued' ? listQueued(tx, page) : listByStatus(tx, { ...page, status });
    },
    positionOf: (row) => [isoTime(row.updated_at), row.conversion_id],
  });
  return { deliveries: rows.map((row) => serializeDelivery(row, destination)), nextPageToken };
}

/** What became of a conversion at each destination. @throws 404 */
export async function listConversionDeliveries(
  tx: Tx,
  accountId: string,
  conversionId: string,
): Promise<DestinationDelivery[]> {
  const uuid = parseId('cnv', conversionId);
  if (uuid === undefined) throw notFound('conversion');
  const destinations = new Map((await findDestinations(tx, { account_id: accountId })).map((row) => [row.id, row]));
  const rows = await findConversionDeliveries(tx, { account_id: accountId, conversion_id: uuid });
  return rows.flatMap((row) => {
    const destination = destinations.get(row.destination_id);
    return destination ? [serializeDelivery(row, destination)] : [];
  });
}

/** A destination with the number of its conversions by status. @throws 404 */
export async function getDestination(tx: Tx, accountId: string, destinationId: string): Promise<DestinationWithCounts> {
  const row = await requireDestination(tx, accountId, destinationId);
  const counts = await countDeliveries(tx, { account_id: accountId, destination_id: row.id, most: MAX_COUNT });
  const byStatus = Object.fromEntries(counts.map(({ status, count }) => [status, count]));
  return { ...serializeDestination(row), counts: byStatus as DestinationWithCounts['counts'] };
}

function serializeDelivery(row: DeliveryRow, destination: DestinationRow): DestinationDelivery {
  const { sent } = row;
  return {
    destinationId: publicId('dst', destination.id),
    destinationName: destination.name,
    platform: destination.platform,
    conversionId: publicId('cnv', row.conversion_id),
    event: row.event,
    eventId: row.event_id,
    status: row.status,
    reason: row.reason,
    response: row.response,
    wireId: sent?.wireId ?? null,
    target: sent?.target ?? null,
    value: sent?.value ?? null,
    currency: sent?.currency ?? null,
    factor: sent?.factor ?? null,
    version: row.version,
    sentAt: sent?.sentAt ?? null,
    attempts: attemptsOf(row),
    failedAttempts: row.tries ?? 0,
    nextAttemptAt: row.due_at && isoTime(row.due_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** The first attempt, if it was accepted, is not stored apart from what was sent. */
function attemptsOf({ attempts, sent }: DeliveryRow): DestinationDelivery['attempts'] {
  if (attempts.length > 0 || sent === null) return attempts;
  const { sentAt: at, version, value, currency } = sent;
  return [{ at, action: 'send', version, value, currency, status: 'sent', reason: null }];
}
