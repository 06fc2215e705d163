import { type Fault, notFound, refuse } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { type Collection, collectionAnswer, collectionOf, type Field, isActive } from './collection.ts';
import { checkSize, newFieldId, numberFields, resolveReferences } from './collection-rules.ts';
import type { Collection as CollectionAnswer, CollectionChange } from './contract.ts';
import { mergeFields } from './merge-fields.ts';
import { countEntries, insertMissing, lockCollection, requestBackfill, updateCollection } from './queries.ts';

export interface ChangedCollection {
  collection: Collection;
  /** Whether the index of new fields was left to the worker. */
  backfill: boolean;
}

/** Told of a change in its transaction. */
export type RecordChange = (tx: Tx, before: CollectionAnswer, after: CollectionAnswer) => Promise<void>;

/** Rows of the index that are written within the request; more take a worker, and the request does not wait for it. */
const ROWS_AT_ONCE = 20_000;

/**
 * Changes, deletes (`status: "deleted"`) or restores a collection. Changes of one collection wait for each other, and for
 * the entries that are being written to it.
 * @throws ApiError 404, for a deleted one, too, unless it is restored; 400 with every fault
 */
export async function changeCollection(
  db: Database,
  accountId: string,
  collectionId: string,
  sent: CollectionChange,
  now: number,
  rowsAtOnce = ROWS_AT_ONCE,
  record: RecordChange = async () => {},
): Promise<ChangedCollection> {
  const id = parseId('col', collectionId);
  if (id === undefined) throw notFound('collection');
  return db.transaction(async (tx) => {
    const [before] = await lockCollection(tx, accountId, id);
    if (!before || !(isActive(before) || sent.status === 'active')) throw notFound('collection');
    const faults: Fault[] = [];
    const fields = mergeFields(before.fields, sent.fields ?? [], newFieldId, faults);
    const references = resolveReferences(
      fields,
      sent,
      { displayFieldId: before.display_field_id, defaultSort: before.default_sort },
      faults,
    );
    checkSize(fields, faults);
    refuse(faults);
    await numberFields(tx, fields);
    const backfill = await indexNewFields(tx, accountId, id, before.fields, fields, rowsAtOnce);
    const [row] = await updateCollection(
      tx,
      accountId,
      id,
      sent.name ?? before.name,
      sent.description === undefined ? before.description : sent.description,
      JSON.stringify(fields),
      references.displayFieldId,
      references.defaultSort && JSON.stringify(references.defaultSort),
      sent.status ?? before.status,
      new Date(now),
    );
    if (!row) throw new Error('the collection went away while it was locked');
    await record(tx, collectionAnswer(before), collectionAnswer(row));
    return { collection: collectionOf(row), backfill };
  });
}

/**
 * Every entry has a row of the index for each active field, be it one that says it has no value. A field that is new, or
 * comes back, lacks them for entries that are there already.
 */
async function indexNewFields(
  tx: Tx,
  accountId: string,
  collectionId: string,
  before: readonly Field[],
  fields: readonly Field[],
  rowsAtOnce: number,
): Promise<boolean> {
  const wereActive = new Set(before.filter(isActive).map((field) => field.key));
  const come = fields.filter((field) => isActive(field) && !wereActive.has(field.key));
  if (come.length === 0) return false;
  const keys = come.map((field) => field.key);
  const limit = Math.floor(rowsAtOnce / come.length);
  const [counted] = await countEntries(tx, accountId, collectionId, limit + 1);
  if ((counted?.count ?? 0) <= limit) {
    await insertMissing(tx, accountId, collectionId, keys);
    return false;
  }
  for (const field of come) field.pending = true;
  await requestBackfill(tx, accountId, collectionId, keys);
  return true;
}
