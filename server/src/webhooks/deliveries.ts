import { notFound } from '../shared/errors.ts';
import { firstUuidAt, parseId, publicId, uuidTime } from '../shared/ids.ts';
import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { DEFAULT_PAGE_SIZE, type DeliveriesQuery, type Delivery } from './contract.ts';
import { endpointId, found } from './endpoint.ts';
import { ALL_KINDS } from './kinds.ts';
import { SHOWN_MS } from './partitions.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  findAttempts,
  findDelivery,
  findEndpoint,
  findQueued,
  listChosenDeliveries,
  listDeliveries,
} from './queries.ts';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const STATUSES = ['pending', 'delivered', 'failed'];

/** The deliveries of an endpoint, newest first, of the last 30 days. @throws 404 */
export async function listDeliveryPage(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  webhookId: string,
  query: DeliveriesQuery,
  now: number,
): Promise<{ deliveries: Delivery[]; nextPageToken: string | null }> {
  const endpoint = await requireEndpoint(tx, accountId, webhookId);
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken, status, type } = query;
  const scope = [accountId, `/v1/webhooks/${webhookId}/deliveries`, status ?? null, type ?? null];
  const before = pageToken ? (pageTokens.read(scope, pageToken) as string) : LAST;
  const page = [accountId, endpoint, firstUuidAt(now - SHOWN_MS), before, pageSize + 1];
  const rows =
    status === undefined && type === undefined
      ? await listDeliveries(tx, ...page)
      : await listChosenDeliveries(tx, ...page, status ? [status] : STATUSES, type ? [type] : ALL_KINDS);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return {
    deliveries: await answerDeliveries(tx, accountId, endpoint, shown),
    nextPageToken: last ? pageTokens.write(scope, last.message_id) : null,
  };
}

/** A delivery with what is, or was, sent. @throws 404 */
export async function getDelivery(tx: Tx, accountId: string, webhookId: string, deliveryId: string, now: number) {
  const endpoint = await requireEndpoint(tx, accountId, webhookId);
  const id = parseId('msg', deliveryId);
  const [row] = id === undefined ? [] : await findDelivery(tx, accountId, endpoint, id, firstUuidAt(now - SHOWN_MS));
  const [delivery] = row ? await answerDeliveries(tx, accountId, endpoint, [row]) : [];
  if (!row || !delivery) throw notFound('delivery');
  return { ...delivery, payload: JSON.parse(row.body) as unknown };
}

/** The UUID of an endpoint that there is. @throws 404 */
export async function requireEndpoint(tx: Tx, accountId: string, webhookId: string): Promise<string> {
  const [row] = await findEndpoint(tx, accountId, endpointId(webhookId));
  return found(row).id;
}

/** Deliveries, newest first, as they are answered. */
export async function answerDeliveries(
  tx: Tx,
  accountId: string,
  endpoint: string,
  rows: readonly DeliveryRow[],
): Promise<Delivery[]> {
  const ids = rows.map((row) => row.message_id);
  if (ids.length === 0) return [];
  const attempts = Map.groupBy(
    await findAttempts(tx, accountId, endpoint, ids, ids.at(-1), ids[0]),
    (attempt) => attempt.message_id,
  );
  const queued = new Map((await findQueued(tx, accountId, endpoint, ids)).map((row) => [row.message_id, row.due_at]));
  return rows.map((row) => {
    const due = queued.get(row.message_id);
    return {
      id: publicId('msg', row.message_id),
      type: row.type,
      status: row.status,
      attempts: (attempts.get(row.message_id) ?? []).map(answerAttempt),
      nextAttemptAt: row.status === 'pending' && due ? isoTime(due) : null,
      createdAt: isoTime(uuidTime(row.message_id)),
    };
  });
}

function answerAttempt({ status, ms, error, answer, at }: AttemptRow): Delivery['attempts'][number] {
  return { status, ms, error, answer, at: isoTime(at) };
}
