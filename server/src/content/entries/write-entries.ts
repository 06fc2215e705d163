import type { Action } from '../../accounts/index.ts';
import { badRequest, type Fault, refuse } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { type Collection, type Field, isActive, type Status, stateView } from '../collections/collection.ts';
import { shareLockCollection } from '../collections/queries.ts';
import { STALE } from '../collections/stale.ts';
import { typeOf } from '../field-types/index.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import { placeLast } from '../ordering/place-entries.ts';
import { followPublished, keepPublished, restorePublished } from '../publishing/restore-published.ts';
import { deletePublished } from '../publishing/write-published.ts';
import { mayWrite, narrowValues, wholeOf } from '../roles/collection-access.ts';
import { requireAction } from '../roles/permitted.ts';
import type { Values } from './check-values.ts';
import { computeValues } from './computed-values.ts';
import type { Entry } from './contract.ts';
import { diffIndexRows, type IndexRow, indexRowsOf, type SortKeys, searchTextOf, sortKeysOf } from './index-entry.ts';
import { insertEntryRows, type NewEntryRow, updateEntryRows, type WritableEntryRow } from './queries.ts';
import { recordUses, recordUsesOfNew } from './record-uses.ts';
import { assetIdsOf, serializeEntry, serializeValues } from './serialize-entry.ts';
import { refuseSecondEntry } from './singleton.ts';
import {
  claimFreeKeys,
  claimKeys,
  type EntryKey,
  hasUniqueValues,
  keyChanges,
  type ValuePointer,
} from './unique-keys.ts';
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
export function writesMore(collection: Collection): boolean {
  const { hasAssets, keepsReferenced, row } = collection;
  return hasAssets || hasUniqueValues(collection) || keepsReferenced || row.settings !== null;
}

interface InsertOptions {
  /** To a value in the request; a single entry needs none. */
  pointer?: (fieldId: string, entryId: string, index: number) => string;
  /** See `Database.transaction`, if nothing follows. */
  last?: Tx;
  /** The assets of the values, as far as they are known. */
  assets?: ReadonlyMap<string, object>;
}

/**
 * Inserts entries in one statement. Returns `STALE` if the collection has changed since it was read.
 * @param tx a transaction if `writesMore(collection)`
 * @throws ApiError 400 `value_taken` for every unique value that another entry has
 */
export async function insertEntries(
  tx: Tx,
  context: WriteContext,
  view: Collection,
  newEntries: readonly NewEntry[],
  options: InsertOptions = {},
): Promise<WrittenEntry[] | typeof STALE> {
  if (!view.access) return insertWhole(tx, context, view, newEntries, options);
  const { accountId } = context.author;
  await requireAction(tx, accountId, view, 'create', []);
  const written = await insertWhole(tx, context, wholeOf(view), newEntries, options);
  if (written === STALE) return STALE;
  await requireAction(
    tx,
    accountId,
    view,
    'create',
    written.map(({ id }) => id),
  );
  return written.map((each) => ({ ...each, entry: narrowValues(view, each.entry) }));
}

async function insertWhole(
  tx: Tx,
  context: WriteContext,
  collection: Collection,
  newEntries: readonly NewEntry[],
  options: InsertOptions = {},
): Promise<WrittenEntry[] | typeof STALE> {
  const { accountId } = context.author;
  const prepared = await prepareEntries(tx, context, collection, newEntries, options);
  if (hasUniqueValues(collection)) {
    // Before the entries are inserted, since a refusal is checked again if the collection was cached.
    const [locked] = await shareLockCollection(tx, { account_id: accountId, id: collection.id });
    if (locked?.version !== collection.version) return STALE;
    const indexOf = (id: string) => prepared.findIndex((entry) => entry.written.id === id);
    const { pointer } = options;
    const toValue = pointer && ((fieldId: string, id: string) => pointer(fieldId, id, indexOf(id)));
    const claimed = prepared.flatMap((each) => each.claimed);
    await claimKeys(tx, accountId, collection, [], claimed, toValue);
  }
  return insertPrepared(tx, context, collection, prepared, options.last);
}

/** As `insertEntries` for a locked collection; undefined for an entry that has a value which is taken. */
export async function insertFreeEntries(
  tx: Tx,
  context: WriteContext,
  collection: Collection,
  newEntries: readonly NewEntry[],
  options: InsertOptions = {},
): Promise<(WrittenEntry | undefined)[]> {
  const prepared = await prepareEntries(tx, context, collection, newEntries, options);
  const claimed = prepared.flatMap((each) => each.claimed);
  const { refused } = await claimFreeKeys(tx, context.author.accountId, collection, [], claimed);
  const losers = new Set(refused.map(({ key }) => key.entry_id));
  const free = prepared.filter(({ written }) => !losers.has(written.id));
  const inserted = await insertPrepared(tx, context, collection, free, options.last);
  if (inserted === STALE) throw new Error('the collection changed although it is locked');
  return prepared.map(({ written }) => (losers.has(written.id) ? undefined : written));
}

/** An entry with everything that is written for it. */
interface PreparedEntry {
  written: WrittenEntry;
  row: NewEntryRow;
  indexRows: (EntryKey & { filter_bitmap: string })[];
  claimed: EntryKey[];
  values: Values;
}

async function prepareEntries(
  tx: Tx,
  { author, publicUrl }: WriteContext,
  collection: Collection,
  newEntries: readonly NewEntry[],
  { assets }: InsertOptions,
): Promise<PreparedEntry[]> {
  const { accountId } = author;
  if (newEntries.length === 0) return [];
  await refuseSecondEntry(tx, accountId, collection, newEntries.length);
  const stored = newEntries.map(({ values }) => values);
  await placeLast(tx, accountId, collection, stored);
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl, undefined, assets);
  const activeFields = collection.fields.filter(isActive);
  return mapInTurns(newEntries, ({ values, createdAt }, i) => {
    const id = newUuid(createdAt);
    const at = new Date(uuidTime(id));
    const keys = sortKeysOf(collection, values);
    const filter_bitmap = filterBitmapOf(collection.fields, keys);
    const returned = serialized[i] ?? {};
    const row = { id, status: 'active' as const, version: 1, created_at: at, updated_at: at };
    const entry = serializeEntry(collection, row, returned);
    return {
      written: { id, version: 1, entry },
      row: {
        id,
        stored: JSON.stringify(values),
        sort_keys: JSON.stringify(keys),
        filter_bitmap,
        search_text: searchTextOf(collection, values) ?? null,
        created_at: at,
        ...publishedEntry(entry, returned === values),
      },
      indexRows: indexRowsOf(keys, activeFields).map((each) => ({ ...each, entry_id: id, filter_bitmap })),
      claimed: keyChanges(collection, id, undefined, keys).claimed,
      values,
    };
  });
}

async function insertPrepared(
  tx: Tx,
  { author }: WriteContext,
  collection: Collection,
  prepared: readonly PreparedEntry[],
  last = tx,
): Promise<WrittenEntry[] | typeof STALE> {
  if (prepared.length === 0) return [];
  const { accountId } = author;
  // The uses of files are only kept if the entries are, of which there are none if the collection has changed.
  const isKnown = last !== tx || !collection.hasAssets;
  const inserting = insertEntryRows(last, {
    account_id: accountId,
    collection_id: collection.id,
    collection_version: collection.version,
    entries: prepared.map(({ row }) => row),
    index_rows: prepared.flatMap(({ indexRows }) => indexRows),
    author_type: author.type,
    author_id: author.id,
  });
  if (!isKnown && (await inserting).length === 0) return STALE;
  const uses = prepared.map(({ written, values }) => ({ id: written.id, values }));
  const [inserted] = await Promise.all([inserting, recordUsesOfNew(last, accountId, collection, uses)]);
  return inserted.length === 0 ? STALE : prepared.map(({ written }) => written);
}

/**
 * Changes, deletes or restores locked entries in one statement, and publishes what somebody subscribed to.
 * @param last see `Database.transaction`, if nothing follows
 */
export async function updateEntries(
  tx: Tx,
  context: WriteContext,
  view: Collection,
  updates: readonly EntryUpdate[],
  last = tx,
  pointer?: ValuePointer,
): Promise<WrittenEntry[]> {
  if (!view.access) return updateWhole(tx, context, view, updates, last, pointer);
  const { accountId } = context.author;
  const byAction = Map.groupBy(updates, actionOf);
  for (const [action, some] of byAction) {
    await requireAction(
      tx,
      accountId,
      view,
      action,
      some.map(({ before }) => before.id),
    );
  }
  refuse(readOnlyFaults(view, updates));
  refuseTwoActions(view.access.whole, updates);
  // More follows.
  const mayPublish = view.access.permissions.publish !== undefined;
  const written = await updateWhole(tx, context, wholeOf(view), updates, tx, pointer, mayPublish);
  // A deleted entry has lost its texts.
  const active = updates.filter(({ status }) => status === 'active');
  for (const [action, some] of Map.groupBy(active, actionOf)) {
    await requireAction(
      tx,
      accountId,
      view,
      action,
      some.map(({ before }) => before.id),
    );
  }
  const again = updates.filter((update, i) => isRestoring(update) && written[i]?.entry.publishedVersion != null);
  const ids = again.map(({ before }) => before.id);
  if (ids.length > 0) await requireAction(tx, accountId, stateView('published')(view), 'publish', ids);
  return written.map((each) => ({ ...each, entry: narrowValues(view, each.entry) }));
}

const actionOf = ({ before, status }: EntryUpdate): Action => (before.status === status ? 'update' : 'delete');

/** A change of values needs another action than deleting and restoring, on an entry that then exists. @throws ApiError 400 */
function refuseTwoActions(whole: Collection, updates: readonly EntryUpdate[]): void {
  const isBoth = updates.some(
    ({ before, status, values }) =>
      before.status !== status && changedFieldsOf(whole, readJson(before.values), values).length > 0,
  );
  if (isBoth) throw badRequest('role_insufficient', 'Your role changes values and `status` in two requests.');
}

/** Values that a role may not write, wherever they come from. */
function readOnlyFaults(view: Collection, updates: readonly EntryUpdate[]): Fault[] {
  const { access } = view;
  if (!access) return [];
  const changed = updates.flatMap(({ before, values }) => {
    const stored: Values = readJson(before.values);
    // Templates may have changed since it was written.
    computeValues(access.whole.fields, stored);
    return changedFieldsOf(access.whole, stored, values);
  });
  return [...new Set(changed)].flatMap((field): Fault[] => {
    const isDerived = field.computed !== undefined || field.format === 'slug';
    if (isDerived || mayWrite(access, 'update', field)) return [];
    const detail = `Your role may not write "${field.label}".`;
    return [{ pointer: `/values/${field.id}`, code: 'field_read_only', detail }];
  });
}

async function updateWhole(
  tx: Tx,
  { author, now, publicUrl, keptVersions, busyEntries }: WriteContext,
  collection: Collection,
  updates: readonly EntryUpdate[],
  last = tx,
  pointer?: ValuePointer,
  mayPublish = true,
): Promise<WrittenEntry[]> {
  const { accountId } = author;
  if (updates.length === 0) return [];
  const restored = updates.filter(({ before, status }) => before.status === 'deleted' && status === 'active');
  await refuseSecondEntry(tx, accountId, collection, restored.length);
  const stored = updates.map(({ values }) => values);
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const unpublished = collection.publishing ? updates.filter(isUnpublishing).map(({ before }) => before) : [];
  if (unpublished.length > 0) {
    await keepPublished(tx, { account_id: accountId, ids: unpublished.map(({ id }) => id) });
    await deletePublished(tx, { author, now, publicUrl }, collection, unpublished);
  }
  const followUp = collection.publishing && updates.some((update) => isRestoring(update) || isRevision(update));
  const deletedRows: EntryKey[] = [];
  const released: EntryKey[] = [];
  const claimed: EntryKey[] = [];
  const writtenRows: (EntryKey & { filter_bitmap: string | null })[] = [];
  const keptRows: (EntryKey & { filter_bitmap: string | null })[] = [];
  const results: WrittenEntry[] = [];
  const entries = await mapInTurns(updates, ({ before, values, status, restoredFrom }, i) => {
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
    const ifActive = (is: Status, sortKeys: SortKeys) => (is === 'active' ? sortKeys : undefined);
    const unique = keyChanges(collection, id, ifActive(before.status, before.sort_keys), ifActive(status, keys));
    released.push(...unique.released);
    claimed.push(...unique.claimed);
    for (const row of rows.inserted) writtenRows.push({ ...row, entry_id: id, filter_bitmap });
    if (filter_bitmap !== before.filter_bitmap) {
      for (const row of rows.kept) keptRows.push({ ...row, entry_id: id, filter_bitmap });
    }
    const changedFields = changedFieldsOf(collection, readJson(before.values), values);
    const isReindexed = before.sort_keys.format !== keys.format;
    const hasNewText = status !== before.status || isReindexed || changedFields.some(isText);
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
  await claimKeys(tx, accountId, collection, released, claimed, pointer);
  const uses = updates
    .filter((update) => followUp || hasOtherUses(collection, update))
    .map(({ before, values, status }) => ({ id: before.id, status, values }));
  const written = await updateEntryRows(uses.length > 0 || followUp ? tx : last, {
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
  if (followUp) await publishAgain(tx, { author, now, publicUrl }, collection, updates, results, mayPublish);
  await recordUses(tx, accountId, collection, uses, now);
  return results;
}

/** Whether the files that an entry uses may become others, or active. */
function hasOtherUses(collection: Collection, { before, values, status }: EntryUpdate): boolean {
  if (!collection.hasAssets) return false;
  const idsOf = (some: Values) => assetIdsOf(collection.fields, some).sort().join();
  return before.status !== status || idsOf(readJson(before.values)) !== idsOf(values);
}

/** A deleted entry is not published any more. */
const isUnpublishing = ({ before, status }: EntryUpdate) => status === 'deleted' && before.published_version != null;

const isRestoring = ({ before, status }: EntryUpdate) => before.status === 'deleted' && status === 'active';

/** Of a published entry, an earlier version is restored: perhaps the published one. */
const isRevision = ({ before, restoredFrom }: EntryUpdate) =>
  restoredFrom !== undefined && before.published_version === restoredFrom;

/** Restores what was published of entries, in the transaction that restores them or a version of them. Updates `results`. */
async function publishAgain(
  tx: Tx,
  context: Pick<WriteContext, 'author' | 'now' | 'publicUrl'>,
  collection: Collection,
  updates: readonly EntryUpdate[],
  results: WrittenEntry[],
  mayPublish: boolean,
): Promise<void> {
  const restored = updates.flatMap((update, i) => {
    const result = results[i];
    if (result === undefined || !isRestoring(update)) return [];
    const { entry, version } = result;
    return [{ before: update.before, values: JSON.stringify(update.values), version, entry }];
  });
  const published =
    restored.length > 0 ? await restorePublished(tx, context, collection, restored, mayPublish) : new Map();
  for (const [i, update] of updates.entries()) {
    const result = results[i];
    if (result === undefined) continue;
    result.entry = published.get(result.id) ?? result.entry;
    if (!isRevision(update) || update.restoredFrom === undefined) continue;
    const { accountId } = context.author;
    const written = { version: result.version, values: JSON.stringify(update.values) };
    const moved = await followPublished(tx, accountId, update.before, update.restoredFrom, written);
    if (moved === undefined) continue;
    const publishedLocales = collection.locales && publishedLocalesOf(collection.locales, moved);
    result.entry = {
      ...result.entry,
      publishedVersion: moved.published_version,
      ...(publishedLocales && { publishedLocales }),
    };
  }
}

/** An entry as it is published, in two parts: its values are most of it, and usually stored as they are returned. */
function publishedEntry(entry: Entry, isStored: boolean) {
  return {
    published: JSON.stringify({ ...entry, values: undefined }),
    published_values: isStored ? null : JSON.stringify(entry.values),
  };
}

const isText = (field: Field) => typeOf(field).isSearchable || typeOf(field).structure === 'fields';

/** Fields whose values differ. */
export function changedFieldsOf({ fields }: Collection, before: Values, after: Values) {
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
