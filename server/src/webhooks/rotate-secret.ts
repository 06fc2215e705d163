import type { Tx } from '../shared/postgres/database.ts';
import type { Webhook } from './contract.ts';
import { endpointId, found, webhookAnswer } from './endpoint.ts';
import { replaceSecret } from './queries.ts';
import type { Secrets } from './secret.ts';

const OVERLAP_MS = 24 * 3_600_000;

/** Gives an endpoint a new secret; for 24 h the one before it signs as well. @throws 404 */
export async function rotateSecret(
  tx: Tx,
  secrets: Secrets,
  accountId: string,
  webhookId: string,
  now: number,
): Promise<Webhook> {
  const until = new Date(now + OVERLAP_MS);
  const [row] = await replaceSecret(tx, accountId, endpointId(webhookId), secrets.make(), until, new Date(now));
  return webhookAnswer(found(row), now);
}
