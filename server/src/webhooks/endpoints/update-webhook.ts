import { collectionIdsOf } from '../../content/index.ts';
import { refuse } from '../../shared/errors.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { EVERY_TOPIC, subscribe } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Webhook, WebhookChange } from '../contract.ts';
import { lockOrder, releaseAll } from '../delivery/order.ts';
import { checkSelection } from './check-selection.ts';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from './queries.ts';
import type { WebhookSecrets } from './secrets.ts';
import { endpointId, requireRow, serializeWebhook } from './serialize.ts';

/**
 * Updates the members that were sent. A webhook that is enabled again receives what happens from then on; what it missed
 * is not sent, what it had not received before it was disabled can be replayed. @throws 404, 400
 */
export async function updateWebhook(
  tx: Tx,
  secrets: WebhookSecrets,
  mayConnect: MayConnect,
  accountId: string,
  webhookId: string,
  sent: WebhookChange,
  now: number,
): Promise<{ before: Webhook; after: Webhook }> {
  const key = { account_id: accountId, id: endpointId(webhookId) };
  // Before the row, as those who record attempts do.
  if (sent.ordering !== undefined) await lockOrder(tx, { endpoints: [key.id] });
  const [locked] = await lockEndpoint(tx, key);
  const before = requireRow(locked);
  const { payload = before.payload, fields = before.fields, filters = before.filters } = sent;
  const { ordering = before.ordering } = sent;
  const urlFaults = sent.url === undefined ? [] : checkUrl(sent.url, mayConnect);
  refuse([...urlFaults, ...checkSelection({ payload, fields, filters })]);
  const { url = before.url, description = before.description, events = before.events, status = before.status } = sent;
  const { collectionIds } = sent;
  const collection_ids =
    collectionIds === undefined
      ? before.collection_ids
      : collectionIds && (await collectionIdsOf(tx, accountId, collectionIds));
  const hadKeyPair = before.public_key !== null;
  const { ed25519 = hadKeyPair } = sent;
  const keys =
    ed25519 === hadKeyPair
      ? before
      : await secrets.changeKeyPair(tx, { account_id: accountId, id: key.id }, before.secret, ed25519);
  const isActive = status === 'active';
  const [after] = await updateEndpoint(tx, {
    ...key,
    url,
    description,
    events,
    collection_ids,
    payload,
    fields,
    filters: filters && JSON.stringify(filters),
    ordering,
    secret: keys.secret,
    public_key: keys.public_key,
    status,
    disabled_reason: isActive ? null : (before.disabled_reason ?? 'requested'),
    failing_since: isActive && before.status === 'disabled' ? null : before.failing_since,
    now: new Date(now),
  });
  await subscribe(tx, accountId, key.id, isActive ? (events ?? [EVERY_TOPIC]) : [], ordering === 'resource');
  if (ordering === 'none' && before.ordering === 'resource') {
    await releaseAll(tx, { account_id: accountId, endpoint_id: key.id, now: new Date(now) });
  }
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
