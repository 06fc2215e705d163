import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Webhook } from './contract.ts';

type Done = 'created' | 'changed' | 'deleted' | 'secret_rotated';

/** Writes down what anybody does to a webhook: it says where an account's data goes. */
export async function auditWebhook(
  tx: Tx,
  request: FastifyRequest,
  done: Done,
  id: string,
  { before, after }: { before?: Webhook; after?: Webhook },
  now: number,
): Promise<void> {
  const change = {
    action: `webhook.${done}`,
    subject: ['webhook', id] as const,
    before: before && stateOf(before),
    after: after && stateOf(after),
  };
  await audit(tx, authorOf(request), change, now);
}

/** What may be changed of it. An address may hold a secret of its receiver in its query. */
function stateOf({ url, description, events, status }: Webhook) {
  const { origin, pathname } = new URL(url);
  return { url: origin + pathname, description, events, status };
}
