import type { Action, Permission, RoleAccess } from '../../accounts/index.ts';
import type { Fault } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { stateView } from '../collections/collection.ts';
import { WhereParser } from '../query/parse-where.ts';
import { NONE, type Where } from '../query/where.ts';

/**
 * The conditions of a role on the entries of a collection. They are about all fields, whatever the role reads. One that cannot be
 * understood any more, because a field was deleted, lets nothing through.
 */
export async function parseConditions(
  tx: Tx,
  accountId: string,
  stored: SchemaView,
  { subject, email }: Pick<RoleAccess, 'subject' | 'email'>,
  of: { collection: Collection; state: 'draft' | 'published'; permissions: Partial<Record<Action, Permission>> },
): Promise<Partial<Record<Action, Where>>> {
  const conditions: Partial<Record<Action, Where>> = {};
  for (const [action, { where }] of Object.entries(of.permissions) as [Action, Permission][]) {
    if (!where) continue;
    const faults: Fault[] = [];
    const load = async (ids: readonly string[]) =>
      (await stored.loadCurrent(tx, accountId, ids, false)).map(stateView(of.state));
    const reader = { isPublic: false, currentUser: { id: subject, email }, load };
    const parsed = await new WhereParser(reader, faults).parse(of.collection, where);
    conditions[action] = faults.length > 0 ? NONE : parsed;
  }
  return conditions;
}

/** Whether a condition is about entries of other collections. */
export function hasReferences(where: Where): boolean {
  switch (where.kind) {
    case 'and':
    case 'or':
      return where.items.some(hasReferences);
    case 'not':
      return hasReferences(where.item);
    case 'row':
      return hasReferences(where.where);
    case 'reference':
      return true;
    default:
      return false;
  }
}
