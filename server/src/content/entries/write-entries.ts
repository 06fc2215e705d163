import { newUuid, uuidTime } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, type Field, isActive, type Status } from '../collections/collection.ts';
import { STALE } from '../collections/collection-cache.ts';
import { shareLockCollection } from '../collections/queries.ts';
import { typeOf } from '../field-types/index.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import { deletePublished } from '../publishing/write-published.ts';
import type { Values } from './check-values.ts';
import type { Entry } from './contract.ts';
import { diffIndexRows, type IndexRow, indexRowsOf, type SortKeys, searchTextOf, sortKeysOf } from './index-entry.ts';
import { insertEntryRows, updateEntryRows, type WritableEntryRow } from './queries.ts';
import { recordUses } from './record-uses.ts';
import { serializeEntry, serializeValues } from './serialize-entry.ts';
import { claimKeys, type EntryKey, keysAmong } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';

// The only code that writes entries. A single entry is a batch of one. Values must have been checked.

export interface NewEntry {
  values: Values;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** A locked entry and what it becomes. */
export interface EntryUpdate {
  before: WritableEntryRow;
  values: Values;
  status: Status;
  /** The version whose values these are, when one is restored. */
  restoredFrom?: number;
}

export interface WrittenEntry {
  /** UUID. */
  id: string;
  version: number;
  entry: Entry;
}

/** Whether writing an entry takes a transaction: for the uses of assets, unique values, and entries that must stay. */
export function writesMore({ hasAssets, uniqueFields, keepsReferenced }: Collection): boolean {
  return hasAssets || uniqueFields.length > 0 || keepsReferenced;
}

/**
 * Inserts entries in one statement. Returns `STALE` if the collection has changed since it was read.
 * @param tx a transaction if `writesMore(collection)`
 */
export async function insertEntries(
  tx: Tx,
  { author, now, publicUrl }: WriteContext,
  collection: Collection,
  newEntries: readonly NewEntry[],
): Promise<WrittenEntry[] | typeof STALE> {
  const { accountId } = author;
  if (newEntries.length === 0) return [];
  const stored = newEntries.map(({ values }) => values);
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const activeFields = collection.fields.filter(isActive);
  const indexRows: (EntryKey & { filter_bitmap: string })[] = [];
  const written: WrittenEntry[] = [];
  const entries = newEntries.map(({ values, createdAt }, i) => {
    const id = newUuid(createdAt);
    const at = new Date(uuidTime(id));
    const keys = sortKeysOf(collection, values);
    const filter_bitmap = filterBitmapOf(collection.fields, keys);
    for (const { field_key, sort_key } of indexRowsOf(keys, activeFields)) {
      indexRows.push({ field_key, sort_key, entry_id: id, filter_bitmap });
    }
    const returned = serialized[i] ?? {};
    const row = { id, status: 'active' as const, version: 1, created_at: at, updated_at: at };
    const entry = serializeEntry(collection, row, returned);
    written.push({ id, version: 1, entry });
    return {
      id,
      stored: JSON.stringify(values),
      sort_keys: JSON.stringify(keys),
      filter_bitmap,
      search_text: searchTextOf(collection, values) ?? null,
      created_at: at,
      ...publishedEntry(entry, returned === values),
    };
  });
  if (collection.uniqueFields.length > 0) {
    // Before the entries are inserted, since a refusal is checked again if the collection was cached.
    const [locked] = await shareLockCollection(tx, { account_id: accountId, id: collection.id });
    if (locked?.version !== collection.version) return STALE;
    await claimKeys(tx, accountId, collection, [], keysAmong(collection, indexRows));
  }
  const inserted = await insertEntryRows(tx, {
    account_id: accountId,
    collection_id: collection.id,
    collection_version: collection.version,
    entries,
    index_rows: indexRows,
    author_type: author.type,
    author_id: author.id,
  });
  if (inserted.length === 0) return STALE;
  const uses = written.map(({ id }, i) => ({ id, status: 'active' as const, values: stored[i] ?? {} }));
  await recordUses(tx, accountId, collection, uses, now);
  return written;
}

/**
 * Changes, deletes or restores locked entries in one statement, and publishes what somebody subscribed to.
 * @param last see `Database.transaction`, if nothing follows
 */
export async function updateEntries(
  tx: Tx,
  { author, now, publicUrl, keptVersions, busyEntries }: WriteContext,
  collection: Collection,
  updates: readonly EntryUpdate[],
  last = tx,
): Promise<WrittenEntry[]> {
  const { accountId } = author;
  if (updates.length === 0) return [];
  const stored = updates.map(({ values }) => values);
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const unpublished = collection.publishing ? updates.filter(isUnpublishing).map(({ before }) => before) : [];
  if (unpublished.length > 0) await deletePublished(tx, { author, now, publicUrl }, collection, unpublished);
  const deletedRows: EntryKey[] = [];
  const insertedRows: EntryKey[] = [];
  const writtenRows: (EntryKey & { filter_bitmap: string | null })[] = [];
  const keptRows: (EntryKey & { filter_bitmap: string | null })[] = [];
  const results: WrittenEntry[] = [];
  const entries = updates.map(({ before, values, status, restoredFrom }, i) => {
    const { id } = before;
    const keys = sortKeysOf(collection, values);
    const bitmap = filterBitmapOf(collection.fields, keys);
    const isBusy = bitmap !== before.filter_bitmap && busyEntries?.record(accountId, collection.publicId, id, now);
    const filter_bitmap = isBusy ? null : bitmap;
    const rows = diffIndexRows(
      rowsInStatus(collection, before.status, before.sort_keys, status),
      rowsInStatus(collection, status, keys, before.status),
    );
    for (const row of rows.deleted) deletedRows.push({ ...row, entry_id: id });
    for (const row of rows.inserted) insertedRows.push({ ...row, entry_id: id });
    for (const row of rows.inserted) writtenRows.push({ ...row, entry_id: id, filter_bitmap });
    if (filter_bitmap !== before.filter_bitmap) {
      for (const row of rows.kept) keptRows.push({ ...row, entry_id: id, filter_bitmap });
    }
    const changedFields = changedFieldsOf(collection, JSON.parse(before.values), values);
    const hasNewText = status !== before.status || changedFields.some(isText);
    const updatedAt = new Date(Math.max(before.updated_at.getTime(), now));
    const returned = serialized[i] ?? {};
    const published =
      status === 'deleted' ? { published_version: null, published_at: null, published_locales: null } : {};
    const row = { ...before, ...published, status, version: before.version + 1, updated_at: updatedAt };
    const entry = serializeEntry(collection, row, returned);
    results.push({ id, version: row.version, entry });
    const isRestored = before.status !== status ? status === 'active' : restoredFrom !== undefined;
    return {
      id,
      version: before.version,
      stored: JSON.stringify(values),
      sort_keys: JSON.stringify(keys),
      filter_bitmap,
      status,
      updated_at: updatedAt,
      has_new_text: hasNewText,
      search_text: hasNewText && status === 'active' ? (searchTextOf(collection, values) ?? null) : null,
      change: isRestored ? 'restored' : before.status !== status ? 'deleted' : 'changed',
      changed_fields: JSON.stringify(changedFields.map((field) => field.id)),
      restored_from: restoredFrom ?? null,
      topic: status === 'deleted' ? 'entry.deleted' : 'entry.updated',
      ...publishedEntry(entry, returned === values),
    };
  });
  await claimKeys(tx, accountId, collection, keysAmong(collection, deletedRows), keysAmong(collection, insertedRows));
  const written = await updateEntryRows(collection.hasAssets ? tx : last, {
    account_id: accountId,
    collection_id: collection.id,
    entries,
    deleted_rows: deletedRows,
    written_rows: writtenRows,
    kept_rows: keptRows,
    kept_versions: keptVersions,
    now,
    author_type: author.type,
    author_id: author.id,
  });
  if (written.length !== updates.length) throw new Error('a locked entry disappeared');
  const uses = updates.map(({ before, values, status }) => ({ id: before.id, status, values }));
  await recordUses(tx, accountId, collection, uses, now);
  return results;
}

/** A deleted entry is not published any more. */
const isUnpublishing = ({ before, status }: EntryUpdate) => status === 'deleted' && before.published_version != null;

/** An entry as it is published, in two parts: its values are most of it, and usually stored as they are returned. */
function publishedEntry(entry: Entry, isStored: boolean) {
  return {
    published: JSON.stringify({ ...entry, values: undefined }),
    published_values: isStored ? null : JSON.stringify(entry.values),
  };
}

const isText = (field: Field) => typeOf(field).isSearchable || typeOf(field).structure === 'fields';

function changedFieldsOf({ fields }: Collection, before: Values, after: Values) {
  const own = (values: Values, id: string) => (Object.hasOwn(values, id) ? values[id] : undefined);
  return fields.filter(({ id }) => {
    const [old, current] = [own(before, id), own(after, id)];
    return old !== current && JSON.stringify(old) !== JSON.stringify(current);
  });
}

/** The index rows of an entry in a status. Deleting an entry also deletes the rows of deleted fields. */
function rowsInStatus(collection: Collection, status: Status, keys: SortKeys, otherStatus: Status): IndexRow[] {
  if (status === 'deleted') return [];
  if (otherStatus === 'deleted') return indexRowsOf(keys, collection.fields);
  return indexedRows(collection, keys);
}

/** The index rows of an active entry. */
export function indexedRows(collection: Collection, keys: SortKeys): IndexRow[] {
  const fields = collection.fields.filter((field) => isActive(field) || keys[field.key]);
  return indexRowsOf(keys, fields);
}
