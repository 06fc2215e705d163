import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Webhook } from '../contract.ts';
import { type EndpointRow, findEndpoint } from './queries.ts';

/** A webhook as the API returns it, without its secrets. */
export function serializeWebhook(row: EndpointRow, now: number, isDeleted = false): Webhook {
  const until = row.previous_secret_until;
  return {
    id: publicId('whk', row.id),
    url: row.url,
    events: row.events,
    collectionIds: row.collection_ids,
    payload: row.payload,
    fields: row.fields,
    filters: row.filters,
    ordering: row.ordering,
    ed25519: row.public_key !== null,
    publicKey: row.public_key,
    description: row.description,
    status: isDeleted ? 'deleted' : row.status,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since && isoTime(row.failing_since),
    previousSecretUntil: until && until.getTime() > now ? isoTime(until) : null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** The UUID of a webhook's public id. @throws 404 */
export function endpointId(webhookId: string): string {
  const uuid = parseId('whk', webhookId);
  if (uuid === undefined) throw notFound('webhook');
  return uuid;
}

/** @throws 404 if there is no row */
export function requireRow(row: EndpointRow | undefined): EndpointRow {
  if (row === undefined) throw notFound('webhook');
  return row;
}

/** @throws 404 */
export async function requireEndpoint(tx: Tx, accountId: string, webhookId: string): Promise<EndpointRow> {
  const [row] = await findEndpoint(tx, { account_id: accountId, id: endpointId(webhookId) });
  return requireRow(row);
}
