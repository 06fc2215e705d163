import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Collection, Entry } from './contract.ts';

/**
 * Writes down what a user does to an entry. What keys do to entries is not: they write many, and are to stay as fast as
 * they are. The members of `values` become members of the change.
 */
export async function auditEntry(
  tx: Tx,
  request: FastifyRequest,
  before: Entry | undefined,
  after: Entry,
  now: number,
) {
  if (request.caller.kind !== 'user') return;
  const action = `entry.${doneTo(before, after)}`;
  const state = (entry: Entry) => ({ ...entry.values, status: entry.status });
  const change = {
    action,
    subject: ['entry', after.id] as const,
    before: before && state(before),
    after: state(after),
  };
  await audit(tx, authorOf(request), change, now);
}

/** Writes down what anybody does to a collection. */
export async function auditCollection(
  tx: Tx,
  request: FastifyRequest,
  before: Collection | undefined,
  after: Collection,
  now: number,
) {
  const action = `collection.${doneTo(before, after)}`;
  const subject = ['collection', after.id] as const;
  await audit(
    tx,
    authorOf(request),
    { action, subject, before: before && stateOf(before), after: stateOf(after) },
    now,
  );
}

/** Writes down what anybody removes for good: that it was there, and not what it held. */
export async function auditPurge(
  tx: Tx,
  request: FastifyRequest,
  what: 'entry' | 'collection',
  id: string,
  before: Record<string, string>,
  now: number,
) {
  await audit(tx, authorOf(request), { action: `${what}.removed`, subject: [what, id], before }, now);
}

function stateOf({ name, description, status, displayFieldId, defaultSort, fields }: Collection) {
  const byField = fields.map((field) => [`fields.${field.id}`, field]);
  return { name, description, status, displayFieldId, defaultSort, ...Object.fromEntries(byField) };
}

function doneTo(before: { status: string } | undefined, after: { status: string }): string {
  if (!before) return 'created';
  if (before.status === after.status) return 'changed';
  return after.status === 'deleted' ? 'deleted' : 'restored';
}
