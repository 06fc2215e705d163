import type { Caller } from '../../accounts/index.ts';
import { collectionIdsOf } from '../../content/index.ts';
import { badRequest, refuse } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { EVERY_TOPIC, subscribe } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { NewWebhook, Webhook } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { checkSelection } from './check-selection.ts';
import { insertEndpoint } from './queries.ts';
import type { WebhookSecrets } from './secrets.ts';
import { serializeWebhook } from './serialize.ts';

/** Who has a role of the account is remembered, since they are sent what they may read. */
export function makerOf(caller: Caller | undefined) {
  if (!caller?.access) return { role_id: null, maker_type: null, maker_id: null };
  const maker =
    caller.type === 'user'
      ? { maker_type: 'user', maker_id: caller.userId }
      : { maker_type: 'key', maker_id: caller.keyId };
  return { role_id: caller.access.roleId, ...maker };
}

/** Creates a webhook, which receives what happens from now on. @throws 400 for its URL, or if the account has too many */
export async function createWebhook(
  tx: Tx,
  secrets: WebhookSecrets,
  mayConnect: MayConnect,
  accountId: string,
  sent: NewWebhook,
  now: number,
  caller?: Caller,
): Promise<Webhook> {
  const { url, events = null, collectionIds = null, description = null } = sent;
  const { payload = 'full', fields = null, filters = null, ordering = 'none', ed25519 = false } = sent;
  refuse([...checkUrl(url, mayConnect), ...checkSelection({ payload, fields, filters })]);
  const id = newUuid(now);
  const [row] = await insertEndpoint(tx, {
    account_id: accountId,
    id,
    url,
    description,
    events,
    collection_ids: collectionIds && (await collectionIdsOf(tx, accountId, collectionIds)),
    payload,
    fields,
    filters: filters && JSON.stringify(filters),
    ordering,
    ...(await secrets.create(tx, { account_id: accountId, id }, ed25519)),
    ...makerOf(caller),
    now: new Date(uuidTime(id)),
    max: LIMITS.webhooks,
  });
  if (!row) {
    const detail = `An account can have at most ${LIMITS.webhooks} webhooks. Delete one that you no longer need.`;
    throw badRequest('too_many_webhooks', detail);
  }
  await subscribe(tx, accountId, id, events ?? [EVERY_TOPIC], ordering === 'resource');
  return serializeWebhook(row, now);
}
