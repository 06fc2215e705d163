import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Webhook } from '../contract.ts';

type Action = 'created' | 'changed' | 'deleted' | 'secret_rotated' | 'replayed';

/** Adds an operation on a webhook to the audit log. */
export async function auditWebhook(
  tx: Tx,
  request: FastifyRequest,
  action: Action,
  id: string,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  now: number,
): Promise<void> {
  await audit(tx, authorOf(request), { action: `webhook.${action}`, subject: ['webhook', id], ...change }, now);
}

/** The members that can be changed. The query of the URL may contain a secret of the receiver, so it is left out. */
export function auditedState({ url, ...webhook }: Webhook) {
  const { description, events, collectionIds, payload, fields, filters, ordering, ed25519, status } = webhook;
  const { origin, pathname } = new URL(url);
  const state = { url: origin + pathname, description, events, collectionIds, status };
  return { ...state, payload, fields, filters, ordering, ed25519 };
}
