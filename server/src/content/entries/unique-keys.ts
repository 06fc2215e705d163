import { type Fault, refuse } from '../../shared/errors.ts';
import { FIRST_ID as NO_ID, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import type { Collection, Field } from '../collections/collection.ts';
import { MISSING } from '../field-types/sort-key.ts';
import type { Values } from './check-values.ts';
import { type IndexRow, type SortKeys, sortKeysOf } from './index-entry.ts';

// The values of unique fields, each held by one entry. The primary key of `entry_keys` decides between concurrent writers.

export interface EntryKey extends IndexRow {
  /** UUID. */
  entry_id: string;
}

/** The rows among index rows that are values of unique fields. */
export function keysAmong(collection: Collection, indexRows: readonly EntryKey[]): EntryKey[] {
  if (collection.uniqueFields.length === 0) return [];
  const fieldKeys = new Set(collection.uniqueFields.map(({ key }) => key));
  return indexRows.filter(({ field_key, sort_key }) => fieldKeys.has(field_key) && sort_key !== MISSING);
}

/** The keys of an entry with these values. */
export function keysOfEntry({ uniqueFields }: Collection, entry_id: string, keys: SortKeys): EntryKey[] {
  return uniqueFields.flatMap(({ key }) =>
    [keys[key] ?? []].flat().map((sort_key) => ({ field_key: key, sort_key, entry_id })),
  );
}

/** The pointer to a field of an entry (UUID) in the request. */
export type ValuePointer = (fieldId: string, entryId: string) => string;

/**
 * Releases and claims values in the transaction that writes the entries. Waits for others that are claiming the same values.
 * @throws ApiError 400 `value_taken` for every value that another entry has
 */
export async function claimKeys(
  tx: Tx,
  account_id: string,
  collection: Collection,
  released: readonly EntryKey[],
  claimed: readonly EntryKey[],
  pointer: ValuePointer = (fieldId) => `/values/${fieldId}`,
): Promise<void> {
  if (released.length > 0) await releaseRows(tx, { account_id, keys: released.map(rowOf) });
  const slugs = released.filter((key) => isSlugKey(collection, key));
  if (slugs.length > 0) await rememberSlugs(tx, { account_id, keys: slugs.map(rowOf) });
  if (claimed.length === 0) return;
  // In one order, so that two writers of the same values do not deadlock.
  const sorted = claimed.map(rowOf).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const held = new Set((await insertKeys(tx, { account_id, keys: sorted })).map(nameOf));
  const missing = sorted.filter((key) => !held.has(nameOf(key)));
  if (missing.length === 0) return;
  // Another statement, to which the entry that was waited for is visible.
  const holders = await holdersOf(tx, account_id, missing);
  const refused = missing.filter((key) => holders.get(valueName(key)) !== key.entry_id);
  if (refused.length > 0) await releaseRows(tx, { account_id, keys: sorted.filter((key) => held.has(nameOf(key))) });
  refuse(
    refused.map((key) => {
      const { id, label } = fieldOf(collection, key);
      return takenFault(pointer(id, key.entry_id), label, holders.get(valueName(key)));
    }),
  );
}

/** For each entry, the faults of values that other entries have. @param entries the ID is a UUID, undefined for a new entry */
export async function findTaken(
  tx: Tx,
  account_id: string,
  collection: Collection,
  entries: readonly { id: string | undefined; values: Values }[],
): Promise<Fault[][]> {
  const keys = entries.map(({ id = NO_ID, values }) => keysOfEntry(collection, id, sortKeysOf(collection, values)));
  const holders = keys.flat().length === 0 ? undefined : await holdersOf(tx, account_id, keys.flat());
  return keys.map((all) =>
    all.flatMap((key) => {
      const holder = holders?.get(valueName(key));
      if (holder === undefined || holder === key.entry_id) return [];
      const { id, label } = fieldOf(collection, key);
      return takenFault(`/values/${id}`, label, holder);
    }),
  );
}

/** @param holder UUID; undefined if it released the value since */
function takenFault(pointer: string, label: string, holder: string | undefined): Fault {
  const other = holder === undefined ? 'Another entry' : `The entry ${publicId('ent', holder)}`;
  return { pointer, code: 'value_taken', detail: `"${label}" is unique. ${other} has this value.` };
}

async function holdersOf(tx: Tx, account_id: string, keys: readonly EntryKey[]): Promise<Map<string, string>> {
  const holders = await findHolders(tx, { account_id, keys: keys.map(rowOf) });
  return new Map(holders.map((row) => [valueName(row), row.entry_id]));
}

function fieldOf({ uniqueFields }: Collection, { field_key }: EntryKey): Field {
  const field = uniqueFields.find(({ key }) => key === field_key);
  if (field === undefined) throw new Error('a key belongs to a unique field');
  return field;
}

const isSlugKey = (collection: Collection, key: EntryKey) => fieldOf(collection, key).format === 'slug';

const rowOf = ({ field_key, sort_key, entry_id }: EntryKey): EntryKey => ({ field_key, sort_key, entry_id });
const valueName = ({ field_key, sort_key }: IndexRow) => `${field_key} ${sort_key}`;
const nameOf = (key: EntryKey) => `${valueName(key)} ${key.entry_id}`;

const KEYS = rows({ field_key: 'bigint', sort_key: 'text', entry_id: 'uuid' });
const someKeys = { account_id: 'uuid', keys: KEYS } as const;

const releaseRows = statement('content.release_keys', someKeys).runs(
  `delete from entry_keys k using :keys as w
   where k.account_id = :account_id and k.field_key = w.field_key and k.sort_key = w.sort_key and k.entry_id = w.entry_id`,
);

/** Keeps slugs that entries give up, by which they are still found. */
const rememberSlugs = statement('content.remember_slugs', someKeys).runs(
  `insert into old_slugs (account_id, field_key, slug, entry_id)
   select :account_id, w.field_key, w.sort_key, w.entry_id from :keys as w
   on conflict (account_id, field_key, slug) do update set entry_id = excluded.entry_id`,
);

const insertKeys = statement('content.claim_keys', someKeys).returns<EntryKey>(
  `insert into entry_keys (account_id, ${KEYS.list}) select :account_id, ${KEYS.list} from :keys as w
   on conflict (account_id, field_key, sort_key) do nothing returning ${KEYS.list}`,
);

const findHolders = statement('content.find_key_holders', someKeys).returns<EntryKey>(
  `select k.field_key, k.sort_key, k.entry_id from :keys as w
   join entry_keys k on k.account_id = :account_id and k.field_key = w.field_key and k.sort_key = w.sort_key`,
);

const ofField = { account_id: 'uuid', field_key: 'bigint' } as const;

/** Two entries that have the same value of a field. */
export const findDuplicate = statement('content.find_duplicate', ofField).returns<{ one: string; other: string }>(
  `select min(entry_id::text) as one, max(entry_id::text) as other from entry_index
   where account_id = :account_id and field_key = :field_key and sort_key < chr(1114111)
   group by sort_key having count(*) > 1 limit 1`,
);

/** Claims the values that entries have already. The transaction holds the collection's lock. */
export const claimExisting = statement('content.claim_existing_keys', ofField).runs(
  `insert into entry_keys (account_id, ${KEYS.list})
   select account_id, field_key, sort_key, entry_id from entry_index
   where account_id = :account_id and field_key = :field_key and sort_key < chr(1114111)`,
);

export const releaseFields = statement('content.release_fields', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
}).runs('delete from entry_keys where account_id = :account_id and field_key = any(:field_keys)');
