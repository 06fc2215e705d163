import { type Action, notGranted } from '../../accounts/index.ts';
import { badRequest } from '../../shared/errors.ts';
import { type AnyUuid, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { stateView } from '../collections/collection.ts';
import { CONDITION_NOT_MET } from '../collections/stale.ts';
import { ListingParameters } from '../listing/key-sql.ts';
import { nameOf } from '../listing/statement-names.ts';
import { whereSql } from '../query/where-sql.ts';
import { conditionOf } from './collection-access.ts';

/** Those of these entries (UUIDs) that exist for an action of a role; all where it has no condition. */
export async function permittedIds(
  tx: Tx,
  accountId: string,
  { access, id: collectionId, version }: Collection,
  action: Action,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = conditionOf({ access }, action);
  if (!access || !where || ids.length === 0) return new Set(ids);
  const state = access.whole.publishing ? access.state : undefined;
  const parameters = new ListingParameters({ accountId, collectionId, version, state });
  const condition = whereSql(parameters, where, 'e');
  // Deleted entries have no texts, so that a condition that a text is not there would hold for all of them.
  const isActive = condition.includes('entry_texts') ? " and e.status = 'active'" : '';
  const text = `select e.id from ${parameters.entries} e
    where e.account_id = ${parameters.account} and e.collection_id = ${parameters.collection}
      and e.id = any(${parameters.add('uuid[]', [...ids])}) and ${condition}${isActive}`;
  const { rows } = await tx.query<{ id: string }>({ name: nameOf(text), text, values: parameters.values });
  return new Set(rows.map(({ id }) => id));
}

/** Plans of statements name conditions, and estimate entries, of which a role must not know. @throws ApiError 400 */
export function refuseExplaining({ access }: Pick<SchemaView, 'access'>): void {
  if (access) throw notGranted('plans of statements are for those who read everything');
}

/** Those of these rows whose entries a role may read. */
export async function readable<Row extends { id: AnyUuid }>(
  tx: Tx,
  accountId: string,
  collection: Collection,
  rows: Row[],
): Promise<Row[]> {
  if (!conditionOf(collection, 'read')) return rows;
  const ids = await permittedIds(
    tx,
    accountId,
    collection,
    'read',
    rows.map(({ id }) => String(id)),
  );
  return rows.filter(({ id }) => ids.has(String(id)));
}

/** The same of rows of any collections. */
export async function readableOfAny<Row extends { id: AnyUuid; collection_id: string }>(
  tx: Tx,
  accountId: string,
  schema: SchemaView,
  rows: Row[],
  state: 'draft' | 'published' = 'draft',
): Promise<Row[]> {
  if (!schema.access || rows.length === 0) return rows;
  const byCollection = Map.groupBy(rows, ({ collection_id }) => collection_id);
  const ids = [...byCollection.keys()].map((id) => publicId('col', id));
  const found = new Set<Row>();
  for (const collection of await schema.loadCurrent(tx, accountId, ids, false)) {
    const own = byCollection.get(collection.id) ?? [];
    for (const row of await readable(tx, accountId, stateView(state)(collection), own)) found.add(row);
  }
  return rows.filter((row) => found.has(row));
}

/**
 * Refuses an action on entries (UUIDs) that a role may not do to all of them, as they are now. Call it before a write, and after
 * it in the same transaction: what an entry becomes must be within the role's conditions, too.
 * @throws ApiError 400 `role_insufficient`, `condition_not_met`
 */
export async function requireAction(
  tx: Tx,
  accountId: string,
  collection: Collection,
  action: Action,
  ids: readonly string[],
): Promise<void> {
  const { access } = collection;
  if (!access) return;
  if (!access.permissions[action]) throw notGranted(`it may not ${action} entries of this collection`);
  for (const each of new Set<Action>([action, 'read'])) {
    const permitted = await permittedIds(tx, accountId, collection, each, ids);
    if (ids.every((id) => permitted.has(id))) continue;
    throw badRequest(CONDITION_NOT_MET, `Your role may ${each} only entries that match its condition.`);
  }
}
