import { auditsOf } from '../../shared/audit.ts';
import type { Webhook } from '../contract.ts';

/** Adds an operation on a webhook to the audit log. */
export const auditWebhook = auditsOf<'created' | 'changed' | 'deleted' | 'secret_rotated' | 'replayed'>('webhook');

/** The members that can be changed. The query of the URL may contain a secret of the receiver, so it is left out. */
export function auditedState({ url, ...webhook }: Webhook) {
  const { description, events, collectionIds, payload, fields, filters, ordering, ed25519, status } = webhook;
  const { origin, pathname } = new URL(url);
  const state = { url: origin + pathname, description, events, collectionIds, status };
  return { ...state, payload, fields, filters, ordering, ed25519 };
}
