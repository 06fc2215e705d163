import { type Fault, invalid, notFound } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { type Collection, type Field, isActive } from '../collections/collection.ts';
import { checkNewValues } from '../entries/check-values.ts';
import { sortKeysOf } from '../entries/index-entry.ts';
import { findEntriesByKey, indexedKey } from '../entries/queries.ts';
import { permittedIds } from '../roles/permitted.ts';

/** The value of a unique field, which names an entry. */
export interface EntryKeyValue {
  field: Field;
  sortKey: string;
}

/** @throws ApiError 404 for an unknown field; 400 `field_not_unique`, or why the value is none of the field */
export function readKey(collection: Collection, fieldId: string, value: unknown, pointer: string): EntryKeyValue {
  const field = collection.byId.get(fieldId);
  if (!field || !isActive(field)) throw notFound('field');
  if (!field.unique) {
    const detail = `"${field.label}" is not unique, so it does not name an entry. Turn on "unique" for the field.`;
    throw invalid([{ pointer, code: 'field_not_unique', detail }]);
  }
  const { values, faults } = checkNewValues(
    { ...collection, fields: [{ ...field, required: true }], publishing: false },
    { [fieldId]: value },
  );
  if (faults[0]) throw invalid(faults.map((fault) => ({ ...fault, pointer })));
  const sortKey = sortKeysOf({ ...collection, fields: [field] }, values)[field.key];
  if (typeof sortKey !== 'string') throw new Error('a unique field has one value');
  return { field, sortKey };
}

/**
 * The active entry (UUID) of a view with a value of a unique field. Drafts may share a value, and then none is found by it.
 * @throws ApiError 400 `entry_ambiguous`
 */
export async function findByKey(
  tx: Tx,
  account_id: string,
  collection: Collection,
  { field, sortKey }: EntryKeyValue,
  pointer: string,
): Promise<string | undefined> {
  const all = await findEntriesByKey(tx, { account_id, field_key: field.key, keys: [indexedKey(sortKey)] });
  const ids = all.map(({ entry_id }) => entry_id);
  const readable = await permittedIds(tx, account_id, collection, 'read', ids);
  const found = all.filter(({ entry_id }) => readable.has(entry_id));
  const [first, second] = found;
  if (first === undefined || second === undefined) return first?.entry_id;
  const fault: Fault = {
    pointer,
    code: 'entry_ambiguous',
    detail: `${found.length} entries have this "${field.label}", among them ${publicId('ent', first.entry_id)} and ${publicId('ent', second.entry_id)}.`,
  };
  throw invalid([fault]);
}

/** Lets one transaction at a time write the entry of a value, until it ends. */
export async function lockKeys(tx: Tx, account_id: string, keys: readonly EntryKeyValue[]): Promise<void> {
  const names = [...new Set(keys.map(({ field, sortKey }) => `${field.key} ${sortKey}`))];
  if (names.length > 0) await lockNames(tx, { account_id, names });
}

const lockNames = statement('content.lock_upserts', { account_id: 'uuid', names: 'text[]' }).runs(
  `select pg_advisory_xact_lock(lock) from (
     select distinct hashtextextended(:account_id::text || name, 20) as lock
     from unnest(:names::text[]) as name order by 1) locks`,
);
