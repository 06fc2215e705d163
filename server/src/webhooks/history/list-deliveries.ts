import { notFound } from '../../shared/errors.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { firstUuidAt, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { parseExactly } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { DELIVERY_STATUSES, type DeliveriesQuery, type Delivery } from '../contract.ts';
import type { EndpointRow } from '../endpoints/queries.ts';
import { requireEndpoint } from '../endpoints/serialize.ts';
import { VISIBLE_MS } from '../partitions.ts';
import { ALL_TOPICS } from '../topics/topic.ts';
import {
  type DeliveryRow,
  filterDeliveries,
  findAttempts,
  findDelivery,
  findQueued,
  listDeliveries,
} from './queries.ts';

/** The deliveries of the last 30 days to an endpoint, newest first. @throws 404 */
export async function listDeliveryPage(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  webhookId: string,
  query: DeliveriesQuery,
  now: number,
): Promise<{ deliveries: Delivery[]; nextPageToken: string | null }> {
  const endpoint = await requireEndpoint(tx, accountId, webhookId);
  const { status, type } = query;
  const scope = [accountId, `/v1/webhooks/${webhookId}/deliveries`, status ?? null, type ?? null];
  const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', async (before, limit) => {
    const page = { account_id: accountId, endpoint_id: endpoint.id, from: firstVisibleId(now), before, limit };
    const found =
      status === undefined && type === undefined
        ? await listDeliveries(tx, page)
        : await filterDeliveries(tx, {
            ...page,
            statuses: status ? [status] : DELIVERY_STATUSES,
            types: type ? [type] : ALL_TOPICS,
          });
    return found.map((row) => ({ ...row, id: row.message_id }));
  });
  return { deliveries: await serializeDeliveries(tx, accountId, endpoint.id, rows), nextPageToken };
}

/** A delivery with its payload. @param asRead what of a payload may be shown @throws 404 */
export async function getDelivery(
  tx: Tx,
  accountId: string,
  webhookId: string,
  deliveryId: string,
  now: number,
  asRead: (endpoint: EndpointRow, body: string) => Promise<string | undefined> = async (_, body) => body,
) {
  const endpoint = await requireEndpoint(tx, accountId, webhookId);
  const row = await requireDelivery(tx, accountId, endpoint.id, deliveryId, now);
  const body = await asRead(endpoint, row.body);
  if (body === undefined) throw notFound('delivery');
  const [delivery] = await serializeDeliveries(tx, accountId, endpoint.id, [row]);
  return { ...delivery, payload: parseExactly(body) as unknown } as Delivery & { payload: unknown };
}

/** @throws 404 */
export async function requireDelivery(tx: Tx, accountId: string, endpointId: string, deliveryId: string, now: number) {
  const id = parseId('msg', deliveryId);
  const key = { account_id: accountId, endpoint_id: endpointId, from: firstVisibleId(now) };
  const [row] = id === undefined ? [] : await findDelivery(tx, { ...key, message_id: id });
  if (!row) throw notFound('delivery');
  return row;
}

const firstVisibleId = (now: number) => firstUuidAt(now - VISIBLE_MS);

/** @param rows newest first */
export async function serializeDeliveries(
  tx: Tx,
  accountId: string,
  endpointId: string,
  rows: readonly DeliveryRow[],
): Promise<Delivery[]> {
  const messages = rows.map((row) => row.message_id);
  const [highest] = messages;
  const lowest = messages.at(-1);
  if (highest === undefined || lowest === undefined) return [];
  const endpoint = { account_id: accountId, endpoint_id: endpointId };
  const found = await findAttempts(tx, { ...endpoint, messages, lowest, highest });
  const attempts = Map.groupBy(found, (attempt) => attempt.message_id);
  const queued = await findQueued(tx, { ...endpoint, messages });
  const dueAt = new Map(queued.map((row) => [row.message_id, row.due_at]));
  return rows.map(({ message_id: id, type, status }) => {
    const due = dueAt.get(id);
    return {
      id: publicId('msg', id),
      type,
      status,
      attempts: (attempts.get(id) ?? []).map(({ status, ms, error, response, at }) => {
        return { status, ms, error, response, at: isoTime(at) };
      }),
      nextAttemptAt: status === 'pending' && due ? isoTime(due) : null,
      createdAt: isoTime(uuidTime(id)),
    };
  });
}
