import { badRequest, refuse } from '../shared/errors.ts';
import { newUuid, uuidTime } from '../shared/ids.ts';
import { EVERY_TOPIC, subscribe } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { MayConnect } from './addresses.ts';
import { checkUrl } from './check-url.ts';
import type { NewWebhook, Webhook } from './contract.ts';
import { webhookAnswer } from './endpoint.ts';
import { insertEndpoint } from './queries.ts';
import type { Secrets } from './secret.ts';

const MAX_ENDPOINTS = 100;

/** Makes an endpoint. What happens from now on is pushed to it. @throws 400 for its address, or where there are too many */
export async function createWebhook(
  tx: Tx,
  secrets: Secrets,
  mayConnect: MayConnect,
  accountId: string,
  sent: NewWebhook,
  now: number,
): Promise<Webhook> {
  refuse(checkUrl(sent.url, mayConnect));
  const id = newUuid(now);
  const events = sent.events ?? null;
  const [row] = await insertEndpoint(
    tx,
    accountId,
    MAX_ENDPOINTS,
    id,
    sent.url,
    sent.description ?? null,
    events,
    secrets.make(),
    new Date(uuidTime(id)),
  );
  if (!row) throw badRequest('too_many_webhooks', `An account has at most ${MAX_ENDPOINTS} webhooks.`);
  await subscribe(tx, accountId, id, events ?? [EVERY_TOPIC]);
  return webhookAnswer(row, now);
}
