import { hash } from 'node:crypto';
import { type Fault, refuse } from '../../shared/errors.ts';
import { FIRST_ID as NO_ID, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import type { Collection, Field } from '../collections/collection.ts';
import type { Values } from './check-values.ts';
import { type IndexRow, type SortKeys, sortKeysOf } from './index-entry.ts';

// The values of unique fields, each held by one entry. The primary key of `entry_keys` decides between concurrent writers.

export interface EntryKey extends IndexRow {
  /** UUID. */
  entry_id: string;
}

/** The keys of an entry with these values. */
export function keysOfEntry({ uniqueFields, uniqueTuples }: Collection, entry_id: string, keys: SortKeys): EntryKey[] {
  const own = uniqueFields.flatMap(({ key }) =>
    [keys[key] ?? []].flat().map((sort_key) => ({ field_key: key, sort_key, entry_id })),
  );
  for (const { key, fields } of uniqueTuples) {
    const parts = fields.map((field) => keys[field.key]);
    if (parts.every((part) => typeof part === 'string')) {
      own.push({ field_key: key, sort_key: hash('md5', parts.join(TUPLE_SEPARATOR)), entry_id });
    }
  }
  return own;
}

/** Not part of a key, as texts have no control characters in it but those that end it. */
const TUPLE_SEPARATOR = '\u0006';

export const hasUniqueValues = ({ uniqueFields, uniqueTuples }: Collection): boolean =>
  uniqueFields.length > 0 || uniqueTuples.length > 0;

/** Which unique values an entry releases and claims. @param before, after undefined: it is not there, or deleted */
export function keyChanges(
  collection: Collection,
  entry_id: string,
  before: SortKeys | undefined,
  after: SortKeys | undefined,
): { released: EntryKey[]; claimed: EntryKey[] } {
  if (!hasUniqueValues(collection)) return { released: [], claimed: [] };
  const [old, current] = [before, after].map((keys) => (keys ? keysOfEntry(collection, entry_id, keys) : []));
  const without = (keys: EntryKey[] = [], others: EntryKey[] = []) => {
    const names = new Set(others.map(valueName));
    return keys.filter((key) => !names.has(valueName(key)));
  };
  return { released: without(old, current), claimed: without(current, old) };
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
  const { refused, held } = await claimFreeKeys(tx, account_id, collection, released, claimed);
  if (refused.length === 0) return;
  if (held.length > 0) await releaseRows(tx, { account_id, keys: held });
  refuse(
    refused.map(({ key, holder }) => {
      const { id, label } = uniqueFieldOf(collection, key.field_key);
      return takenFault(pointer(id, key.entry_id), label, holder);
    }),
  );
}

/** Each entry claims all of its values or, if another one has one of them, none. */
export async function claimFreeKeys(
  tx: Tx,
  account_id: string,
  collection: Collection,
  released: readonly EntryKey[],
  claimed: readonly EntryKey[],
): Promise<{ held: EntryKey[]; refused: { key: EntryKey; holder: string | undefined }[] }> {
  if (released.length > 0) await releaseRows(tx, { account_id, keys: released.map(rowOf) });
  const slugs = released.filter((key) => isSlugKey(collection, key));
  if (slugs.length > 0) await rememberSlugs(tx, { account_id, keys: slugs.map(rowOf) });
  if (claimed.length === 0) return { held: [], refused: [] };
  // In one order, so that two writers of the same values do not deadlock.
  const sorted = claimed.map(rowOf).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const inserted = new Set((await insertKeys(tx, { account_id, keys: sorted })).map(nameOf));
  const held = sorted.filter((key) => inserted.has(nameOf(key)));
  if (held.length === sorted.length) return { held, refused: [] };
  const missing = sorted.filter((key) => !inserted.has(nameOf(key)));
  // Another statement, to which the entry that was waited for is visible.
  const holders = await holdersOf(tx, account_id, missing);
  const refused = missing.flatMap((key) => {
    const holder = holders.get(valueName(key));
    return holder === key.entry_id ? [] : [{ key, holder }];
  });
  const losers = new Set(refused.map(({ key }) => key.entry_id));
  const unneeded = held.filter((key) => losers.has(key.entry_id));
  if (unneeded.length > 0) await releaseRows(tx, { account_id, keys: unneeded });
  return { held: held.filter((key) => !losers.has(key.entry_id)), refused };
}

/** Replaces the keys of values that stay the same. A key that another entry has got meanwhile stays with it. */
export async function moveKeys(
  tx: Tx,
  account_id: string,
  released: readonly EntryKey[],
  claimed: readonly EntryKey[],
): Promise<void> {
  if (released.length > 0) await releaseRows(tx, { account_id, keys: released.map(rowOf) });
  if (claimed.length > 0) await insertKeys(tx, { account_id, keys: claimed.map(rowOf) });
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
      const { id, label } = uniqueFieldOf(collection, key.field_key);
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

/** The field of a key; of fields that are unique together the first one, labelled as all of them. */
export function uniqueFieldOf(
  { uniqueFields, uniqueTuples }: Collection,
  field_key: number,
): Pick<Field, 'id' | 'label' | 'format'> {
  const field = uniqueFields.find(({ key }) => key === field_key);
  if (field) return field;
  const fields = uniqueTuples.find(({ key }) => key === field_key)?.fields ?? [];
  const [first] = fields;
  if (first === undefined) throw new Error('a key belongs to a unique field');
  return { id: first.id, label: fields.map(({ label }) => label).join('" with "') };
}

const isSlugKey = (collection: Collection, key: EntryKey) => uniqueFieldOf(collection, key.field_key).format === 'slug';

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

/** The values of a field, of drafts or of what is published. The index does not tell all texts apart. */
const VALUES = `(
     select i.entry_id, coalesce(e.sort_keys, p.sort_keys) ->> :field_key::text collate "C" as sort_key
     from entry_index i
     left join entries e on e.account_id = :account_id and e.id = i.entry_id and e.sort_keys ? :field_key::text
     left join published_entries p on p.account_id = :account_id and p.id = i.entry_id and p.sort_keys ? :field_key::text
     where i.account_id = :account_id and i.field_key = :field_key and i.sort_key < chr(1114111)
   )`;

/** Two entries that have the same value of a field. */
export const findDuplicate = statement('content.find_duplicate', ofField).returns<{ one: string; other: string }>(
  `select min(entry_id::text) as one, max(entry_id::text) as other from ${VALUES} as v
   group by sort_key having count(*) > 1 limit 1`,
);

/** Claims the values that entries have already. The transaction holds the collection's lock. */
export const claimExisting = statement('content.claim_existing_keys', ofField).runs(
  `insert into entry_keys (account_id, ${KEYS.list})
   select :account_id, :field_key, sort_key, entry_id from ${VALUES} as v`,
);

export const releaseFields = statement('content.release_fields', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
}).runs('delete from entry_keys where account_id = :account_id and field_key = any(:field_keys)');

const ofTuple = { account_id: 'uuid', collection_id: 'uuid', field_key: 'bigint', member_keys: 'text[]' } as const;

/** The entries of a collection with values of all fields of a tuple, and the key of these. */
function tupleStatements(table: 'entries' | 'published_entries') {
  const values = `(
     select e.id as entry_id, md5(array_to_string(array(
       select e.sort_keys ->> member from unnest(:member_keys::text[]) with ordinality as w (member, n) order by n), chr(6))) as sort_key
     from ${table} e
     where e.account_id = :account_id and e.collection_id = :collection_id and e.status = 'active' and e.sort_keys ?& :member_keys::text[]
   )`;
  return {
    findDuplicate: statement(`content.find_duplicate_tuple_${table}`, ofTuple).returns<{ one: string; other: string }>(
      `select min(entry_id::text) as one, max(entry_id::text) as other from ${values} as v
       where :field_key::bigint is not null group by sort_key having count(*) > 1 limit 1`,
    ),
    claim: statement(`content.claim_existing_tuples_${table}`, ofTuple).runs(
      `insert into entry_keys (account_id, ${KEYS.list})
       select :account_id, :field_key, sort_key, entry_id from ${values} as v`,
    ),
  };
}

/** The same for values that are unique together. */
export const TUPLES = { draft: tupleStatements('entries'), published: tupleStatements('published_entries') };
