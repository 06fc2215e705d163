import type { Tx } from '../shared/postgres/database.ts';
import type { Webhook, WebhookWithSecret } from './contract.ts';
import { endpointId, found } from './endpoint.ts';
import { findEndpoint } from './queries.ts';
import type { Secrets } from './secret.ts';

/** The answer that shows an endpoint's newest secret: to whoever has just made it. */
export async function withSecret(
  tx: Tx,
  secrets: Secrets,
  accountId: string,
  webhook: Webhook,
): Promise<WebhookWithSecret> {
  const [row] = await findEndpoint(tx, accountId, endpointId(webhook.id));
  return { ...webhook, secret: secrets.show(found(row).secret) };
}
