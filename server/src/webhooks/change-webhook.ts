import { refuse } from '../shared/errors.ts';
import { EVERY_TOPIC, subscribe } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { MayConnect } from './addresses.ts';
import { checkUrl } from './check-url.ts';
import type { Webhook, WebhookChange } from './contract.ts';
import { endpointId, found, webhookAnswer } from './endpoint.ts';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from './queries.ts';

/**
 * Changes what is sent. An endpoint that is enabled begins anew: what happened while it was disabled is not pushed to it,
 * what had not been delivered before can be replayed. @throws 404, 400
 */
export async function changeWebhook(
  tx: Tx,
  mayConnect: MayConnect,
  accountId: string,
  webhookId: string,
  sent: WebhookChange,
  now: number,
): Promise<{ before: Webhook; after: Webhook }> {
  const [locked] = await lockEndpoint(tx, accountId, endpointId(webhookId));
  const before = found(locked);
  if (sent.url !== undefined) refuse(checkUrl(sent.url, mayConnect));
  const events = sent.events === undefined ? before.events : sent.events;
  const status = sent.status ?? before.status;
  const isEnabled = status === 'active' && before.status === 'disabled';
  const [after] = await updateEndpoint(
    tx,
    accountId,
    before.id,
    sent.url ?? before.url,
    sent.description === undefined ? before.description : sent.description,
    events,
    status,
    status === 'active' ? null : (before.disabled_reason ?? 'requested'),
    isEnabled ? null : before.failing_since,
    new Date(now),
  );
  await subscribe(tx, accountId, before.id, status === 'active' ? (events ?? [EVERY_TOPIC]) : []);
  return { before: webhookAnswer(before, now), after: webhookAnswer(found(after), now) };
}

/** Deletes an endpoint: nothing more is sent to it, and its deliveries are shown no more. @throws 404 */
export async function deleteWebhook(tx: Tx, accountId: string, webhookId: string, now: number): Promise<Webhook> {
  const [gone] = await deleteEndpoint(tx, accountId, endpointId(webhookId));
  const row = found(gone);
  await subscribe(tx, accountId, row.id, []);
  return webhookAnswer(row, now, true);
}
