import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Component } from './collections/components/contract.ts';
import type { Collection } from './contract.ts';
import type { Entry } from './entries/contract.ts';

/** Audits a change of an entry by a user. Changes by API keys are too many to be audited; entry versions record them. */
export async function auditEntry(
  tx: Tx,
  request: FastifyRequest,
  before: Entry | undefined,
  after: Entry,
  now: number,
): Promise<void> {
  if (request.caller.type !== 'user') return;
  const state = ({ values, status, position, parentId }: Entry) => ({ ...values, status, position, parentId });
  await audit(
    tx,
    authorOf(request),
    {
      action: `entry.${verbFor(before, after)}`,
      subject: ['entry', after.id],
      before: before && state(before),
      after: state(after),
    },
    now,
  );
}

/** Audits that a user published entries, or stopped it. */
export async function auditPublishing(
  tx: Tx,
  request: FastifyRequest,
  action: string,
  entries: readonly Entry[],
  now: number,
): Promise<void> {
  if (request.caller.type !== 'user') return;
  const { locales } = (request.body ?? {}) as { locales?: string[] };
  for (const { id, version } of entries) {
    const after = { version, ...(locales && { locales: locales.join(', ') }) };
    await audit(tx, authorOf(request), { action, subject: ['entry', id], after }, now);
  }
}

/** Audits a change of a collection. */
export async function auditCollection(
  tx: Tx,
  request: FastifyRequest,
  before: Collection | undefined,
  after: Collection,
  now: number,
): Promise<void> {
  const state = ({
    name,
    description,
    status,
    displayFieldId,
    defaultSort,
    publishing,
    fields,
    ...rest
  }: Collection) => {
    const byField = fields.map((field) => [`fields.${field.id}`, field]);
    return {
      name,
      key: rest.key,
      description,
      status,
      displayFieldId,
      defaultSort,
      publishing,
      public: rest.public,
      previewUrl: rest.previewUrl,
      review: rest.review,
      ...Object.fromEntries(byField),
    };
  };
  await audit(
    tx,
    authorOf(request),
    {
      action: `collection.${verbFor(before, after)}`,
      subject: ['collection', after.id],
      before: before && state(before),
      after: state(after),
    },
    now,
  );
}

/** Audits a change of a component. */
export async function auditComponent(
  tx: Tx,
  request: FastifyRequest,
  verb: 'created' | 'changed' | 'removed',
  before: Component | undefined,
  after: Component | undefined,
  now: number,
): Promise<void> {
  const state = ({ name, key, fields }: Component) => ({
    name,
    key,
    ...Object.fromEntries(fields.map((field) => [`fields.${field.id}`, field])),
  });
  const change = {
    action: `component.${verb}`,
    subject: ['component', (after ?? before)?.id ?? ''] as [string, string],
    ...(before && { before: state(before) }),
    ...(after && { after: state(after) }),
  };
  await audit(tx, authorOf(request), change, now);
}

/** Audits a permanent deletion without the content that was deleted. */
export async function auditPurge(
  tx: Tx,
  request: FastifyRequest,
  type: 'entry' | 'collection',
  id: string,
  before: Record<string, string>,
  now: number,
): Promise<void> {
  await audit(tx, authorOf(request), { action: `${type}.removed`, subject: [type, id], before }, now);
}

function verbFor(before: { status: string } | undefined, after: { status: string }): string {
  if (!before) return 'created';
  if (before.status === after.status) return 'changed';
  return after.status === 'deleted' ? 'deleted' : 'restored';
}
