import { badRequest, refuse } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { EVERY_TOPIC, subscribe } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { NewWebhook, Webhook } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { insertEndpoint } from './queries.ts';
import type { WebhookSecrets } from './secrets.ts';
import { serializeWebhook } from './serialize.ts';

/** Creates a webhook, which receives what happens from now on. @throws 400 for its URL, or if the account has too many */
export async function createWebhook(
  tx: Tx,
  secrets: WebhookSecrets,
  mayConnect: MayConnect,
  accountId: string,
  { url, events = null, collectionIds = null, description = null }: NewWebhook,
  now: number,
): Promise<Webhook> {
  refuse(checkUrl(url, mayConnect));
  const id = newUuid(now);
  const [row] = await insertEndpoint(tx, {
    account_id: accountId,
    id,
    url,
    description,
    events,
    collection_ids: collectionIds,
    secret: secrets.create(),
    now: new Date(uuidTime(id)),
    max: LIMITS.webhooks,
  });
  if (!row) {
    const detail = `An account can have at most ${LIMITS.webhooks} webhooks. Delete one that you no longer need.`;
    throw badRequest('too_many_webhooks', detail);
  }
  await subscribe(tx, accountId, id, events ?? [EVERY_TOPIC]);
  return serializeWebhook(row, now);
}
