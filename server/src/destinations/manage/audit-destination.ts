import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Destination } from '../contract.ts';

type Action = 'created' | 'changed' | 'deleted' | 'credentials_changed' | 'replayed';

/** Adds an operation on a destination to the audit log. */
export async function auditDestination(
  tx: Tx,
  request: FastifyRequest,
  action: Action,
  id: string,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  now: number,
): Promise<void> {
  await audit(tx, authorOf(request), { action: `destination.${action}`, subject: ['destination', id], ...change }, now);
}

/** The members that can be changed, without the credentials. */
export function auditedState(destination: Destination) {
  const { platform, name, mapping, filter, consent, mode, startAt, sendAfter, trustPublicValues } = destination;
  return { platform, name, mapping, filter, consent, mode, startAt, sendAfter, trustPublicValues };
}
