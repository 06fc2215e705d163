import { refuse } from '../../shared/errors.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { EVERY_TOPIC, subscribe } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Webhook, WebhookChange } from '../contract.ts';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from './queries.ts';
import { endpointId, requireRow, serializeWebhook } from './serialize.ts';

/**
 * Updates the members that were sent. A webhook that is enabled again receives what happens from then on; what it missed
 * is not sent, what it had not received before it was disabled can be replayed. @throws 404, 400
 */
export async function updateWebhook(
  tx: Tx,
  mayConnect: MayConnect,
  accountId: string,
  webhookId: string,
  sent: WebhookChange,
  now: number,
): Promise<{ before: Webhook; after: Webhook }> {
  const key = { account_id: accountId, id: endpointId(webhookId) };
  const [locked] = await lockEndpoint(tx, key);
  const before = requireRow(locked);
  if (sent.url !== undefined) refuse(checkUrl(sent.url, mayConnect));
  const { url = before.url, description = before.description, events = before.events, status = before.status } = sent;
  const { collectionIds: collection_ids = before.collection_ids } = sent;
  const isActive = status === 'active';
  const [after] = await updateEndpoint(tx, {
    ...key,
    url,
    description,
    events,
    collection_ids,
    status,
    disabled_reason: isActive ? null : (before.disabled_reason ?? 'requested'),
    failing_since: isActive && before.status === 'disabled' ? null : before.failing_since,
    now: new Date(now),
  });
  await subscribe(tx, accountId, key.id, isActive ? (events ?? [EVERY_TOPIC]) : []);
  return { before: serializeWebhook(before, now), after: serializeWebhook(requireRow(after), now) };
}

/** Deletes a webhook: nothing more is sent to it, and its deliveries can no longer be read. @throws 404 */
export async function deleteWebhook(tx: Tx, accountId: string, webhookId: string, now: number): Promise<Webhook> {
  const key = { account_id: accountId, id: endpointId(webhookId) };
  const [row] = await deleteEndpoint(tx, key);
  const deleted = serializeWebhook(requireRow(row), now, true);
  await subscribe(tx, accountId, key.id, []);
  return deleted;
}
