import { areSubscribed, isSubscribed } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import type { Collection, Status } from '../collections/collection.ts';
import { indexRangeOf } from '../field-types/sort-key.ts';
import type { PublishedLocales } from '../locales/published-locales.ts';
import { readable } from '../roles/permitted.ts';
import type { SortKeys } from './index-entry.ts';

/** What is published of an entry, if anything. */
export interface PublishedColumns {
  published_version?: number | null;
  published_at?: Date | null;
  /** Only of entries with localized fields. */
  published_locales?: PublishedLocales | null;
}

export interface EntryRow extends PublishedColumns {
  id: string;
  /** JSON text. */
  values: string;
  status: Status;
  version: number;
  created_at: Date;
  updated_at: Date;
  collection_version: number;
}

/** An entry that is about to be changed. */
export interface WritableEntryRow extends EntryRow {
  sort_keys: SortKeys;
  /** A 64-bit integer in decimal; null: unknown. */
  filter_bitmap: string | null;
}

export interface AuthorColumns {
  author_type: 'user' | 'key' | 'command' | null;
  author_id: string | null;
}

const READ = `e.id, e."values"::text as "values", e.status, e.version, e.created_at, e.updated_at,
  e.published_version, e.published_at, e.published_locales, c.version as collection_version`;
const WRITABLE = `${READ}, e.sort_keys, e.filter_bitmap::text`;
const OF_COLLECTION = `from collections c join entries e on e.account_id = c.account_id and e.collection_id = c.id
  where c.account_id = :account_id and c.id = :collection_id and c.status = 'active' and e.account_id = :account_id`;

const ofCollection = { account_id: 'uuid', collection_id: 'uuid' } as const;

const findEntryRow = statement('content.find_entry', { ...ofCollection, id: 'uuid' }).returns<EntryRow>(
  `select ${READ} ${OF_COLLECTION} and e.id = :id`,
);

/** An entry of an active collection, with the collection's version. */
export async function findEntry(
  tx: Tx,
  account_id: string,
  view: Collection,
  id: string,
): Promise<EntryRow | undefined> {
  const rows = await findEntryRow(tx, { account_id, collection_id: view.id, id });
  return (await readable(tx, account_id, view, rows))[0];
}

/** An entry as it is returned: its times as PostgreSQL writes them, which formats them faster than a `Date` is parsed. */
export interface ReturnedEntryRow
  extends Pick<EntryRow, 'id' | 'values' | 'status' | 'version' | 'collection_version'> {
  updated_at: string;
  published_version?: number | null;
  published_at?: string | null;
  published_locales?: PublishedLocales | null;
}

const returnedEntries = (name: string, more: string) =>
  statement(name, { ...ofCollection, ids: 'uuid[]' }).returns<ReturnedEntryRow>(
    `select e.id, e."values"::text as "values", e.status, e.version, e.updated_at::text as updated_at${more},
       c.version as collection_version
     ${OF_COLLECTION} and e.id = any(:ids)`,
  );

const findReturnedRows = returnedEntries('content.find_returned_entries', '');

const findReturnedDrafts = returnedEntries(
  'content.find_returned_drafts',
  ', e.published_version, e.published_at::text as published_at, e.published_locales',
);

/** Entries of an active collection, including deleted ones, to return them. */
export async function findReturnedEntries(
  tx: Tx,
  account_id: string,
  view: Collection,
  ids: string[],
): Promise<ReturnedEntryRow[]> {
  const find = view.publishing ? findReturnedDrafts : findReturnedRows;
  return readable(tx, account_id, view, await find(tx, { account_id, collection_id: view.id, ids }));
}

const findEntryRows = statement('content.find_entries', {
  ...ofCollection,
  ids: 'uuid[]',
}).returns<WritableEntryRow>(`select ${WRITABLE} ${OF_COLLECTION} and e.id = any(:ids)`);

/** Entries of an active collection, including deleted ones. */
export async function findEntries(
  tx: Tx,
  account_id: string,
  view: Collection,
  ids: string[],
): Promise<WritableEntryRow[]> {
  return readable(tx, account_id, view, await findEntryRows(tx, { account_id, collection_id: view.id, ids }));
}

const lockEntryRows = statement('content.lock_entries', {
  ...ofCollection,
  ids: 'uuid[]',
}).returns<WritableEntryRow>(
  `select ${WRITABLE} ${OF_COLLECTION} and e.id = any(:ids)
   order by e.id for share of c for no key update of e`,
);

/**
 * As `findEntries`, and blocks other writers of the entries and changes of the collection until the transaction ends.
 * Entries are locked in one order, which prevents deadlocks.
 */
export async function lockEntries(
  tx: Tx,
  account_id: string,
  view: Collection,
  ids: readonly string[],
): Promise<WritableEntryRow[]> {
  const rows = await lockEntryRows(tx, { account_id, collection_id: view.id, ids: [...ids] });
  return readable(tx, account_id, view, rows);
}

/**
 * Which active entries have one of the keys of a field.
 * @param keys as `indexedKey` returns them
 */
export const findEntriesByKey = statement('content.find_entries_by_key', {
  account_id: 'uuid',
  field_key: 'bigint',
  keys: rows({ sort_key: 'text', range_start: 'text', range_end: 'text' }),
}).returns<{ sort_key: string; entry_id: string }>(
  `select w.sort_key, i.entry_id from :keys as w
   cross join lateral (
     select entry_id from entry_index i where i.account_id = :account_id and i.field_key = :field_key
       and i.sort_key >= w.range_start and i.sort_key < w.range_end offset 0
   ) as i
   cross join lateral (
     select from entries e where e.account_id = :account_id and e.id = i.entry_id
       and e.sort_keys ->> :field_key::text = w.sort_key limit 1
   ) as e`,
);

/** A key, and where the index has it. */
export function indexedKey(sort_key: string): { sort_key: string; range_start: string; range_end: string } {
  const [range_start, range_end] = indexRangeOf(sort_key);
  return { sort_key, range_start, range_end };
}

export const INDEX_ROWS = rows({ field_key: 'bigint', sort_key: 'text', entry_id: 'uuid', filter_bitmap: 'bigint?' });

/** A new entry, with what a subscriber gets. */
export interface NewEntryRow {
  id: string;
  stored: string;
  sort_keys: string;
  filter_bitmap: string;
  search_text: string | null;
  created_at: Date;
  published: string;
  published_values: string | null;
}

/**
 * Inserts entries with their index rows, and publishes them if somebody subscribed to that. Inserts nothing and returns no
 * row if the collection is not at the version that the values were checked for. The lock on the collection delays changes
 * until the commit, so that a transaction that adds a field sees every entry that was written without it.
 */
export const insertEntryRows = statement('content.insert_entries', {
  ...ofCollection,
  collection_version: 'bigint',
  entries: rows({
    id: 'uuid',
    stored: 'text',
    sort_keys: 'text',
    filter_bitmap: 'bigint',
    search_text: 'text?',
    created_at: 'timestamptz',
    /** The entry as the API returns it, without its values, as a JSON object. */
    published: 'text',
    /** The values as the API returns them, if these are not the stored ones. */
    published_values: 'text?',
  }),
  index_rows: INDEX_ROWS,
  author_type: 'text',
  author_id: 'uuid?',
}).returns<{ id: string }>(
  `with collection as materialized (
     select id from collections
     where account_id = :account_id and id = :collection_id and version = :collection_version and status = 'active'
     for share
   ), batch as materialized (
     select w.* from collection cross join :entries as w
   ), inserted as (
     insert into entries (account_id, id, collection_id, "values", sort_keys, filter_bitmap, status, created_at,
       updated_at, author_type, author_id)
     select :account_id, id, :collection_id, stored::json, sort_keys::jsonb, filter_bitmap, 'active', created_at,
       created_at, :author_type, :author_id
     from batch
   ), indexed as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, filter_bitmap)
     select :account_id, w.field_key, w.sort_key, w.entry_id, w.filter_bitmap
     from collection cross join :index_rows as w
   ), searchable as (
     insert into entry_texts (account_id, entry_id, collection_id, text)
     select :account_id, id, :collection_id, search_text from batch where search_text is not null
   ), published as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select :account_id, 'entry.created', array_agg(id), array_agg(1),
       '[' || string_agg(left(published, -1) || ',"values":' || coalesce(published_values, stored) || '}', ',') || ']',
       max(created_at)
     from batch where ${isSubscribed(':account_id', "'entry.created'")} having count(*) > 0
   )
   select id from batch`,
);

const IS_INDEX_ROW =
  'i.account_id = :account_id and i.field_key = w.field_key and i.sort_key = w.sort_key and i.entry_id = w.entry_id';

/**
 * Parts of a statement that change the index rows of entries. Rows are found one by one and changed where they are: joined to
 * them, PostgreSQL may read those of the whole account, until the table has statistics. Citus cannot plan that, so there rows are joined.
 */
const PLACE_OF_INDEX_ROW = `join lateral (
         select ctid as place from entry_index i
         where ${IS_INDEX_ROW} limit 1) i on true`;
export const DELETE_INDEX_ROWS = `deleted as (
     delete from entry_index where ctid = any(array(
       select i.place from :deleted_rows as w ${PLACE_OF_INDEX_ROW}))
   )`;
export const DELETE_JOINED_INDEX_ROWS = `deleted as (
     delete from entry_index i using :deleted_rows as w where ${IS_INDEX_ROW}
   )`;
export const WRITE_INDEX_ROWS = `written as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, filter_bitmap)
     select :account_id, w.field_key, w.sort_key, w.entry_id, w.filter_bitmap from :written_rows as w
     on conflict (account_id, field_key, sort_key, entry_id) do update set filter_bitmap = excluded.filter_bitmap
   )`;

const PLACE_OF_ENTRY = `join lateral (
       select ctid as place from entries e where e.account_id = :account_id and e.id = w.id limit 1) e on true`;
const UPDATE_INDEX_ROWS = `update entry_index set filter_bitmap = kept.filter_bitmap
     from (select w.filter_bitmap, i.place from :kept_rows as w ${PLACE_OF_INDEX_ROW}) kept
     where entry_index.ctid = kept.place`;
const UPDATE_JOINED_INDEX_ROWS = `update entry_index i set filter_bitmap = w.filter_bitmap
     from :kept_rows as w where ${IS_INDEX_ROW}`;
const IS_EXPIRED =
  'v.account_id = :account_id and v.entry_id = changed.id and v.version <= changed.version - :kept_versions';
const EXPIRE_VERSIONS = `delete from entry_versions where ctid = any(array(
       select v.place from changed
       join lateral (select ctid as place from entry_versions v where ${IS_EXPIRED} offset 0) v on true))`;
const EXPIRE_JOINED_VERSIONS = `delete from entry_versions v using changed where ${IS_EXPIRED}`;

/**
 * Changes entries that the transaction has locked by an earlier statement, so that this one sees all of their rows, and
 * publishes them if somebody subscribed to that. The versions that are replaced are kept, and those beyond `kept_versions`
 * deleted.
 */
export const updateEntryRows = statement('content.update_entries', {
  ...ofCollection,
  entries: rows({
    id: 'uuid',
    /** The current one. */
    version: 'integer',
    stored: 'text',
    sort_keys: 'text',
    filter_bitmap: 'bigint?',
    status: 'text',
    updated_at: 'timestamptz',
    has_new_text: 'boolean',
    search_text: 'text?',
    change: 'text',
    /** A JSON array. */
    changed_fields: 'text',
    restored_from: 'integer?',
    topic: 'text',
    /** As for `insertEntryRows`. */
    published: 'text',
    published_values: 'text?',
  }),
  deleted_rows: rows({ field_key: 'bigint', sort_key: 'text', entry_id: 'uuid' }),
  written_rows: INDEX_ROWS,
  /** Rows that only get another filter bitmap. Those that a backfill has yet to insert are left to it. */
  kept_rows: INDEX_ROWS,
  kept_versions: 'integer',
  now: 'timestamptz',
  author_type: 'text',
  author_id: 'uuid?',
}).returns<{ id: string }>(updateSql(true), updateSql(false));

/** @param byPlace whether rows are changed where they were found; otherwise they are joined */
function updateSql(byPlace: boolean): string {
  const isChanged = byPlace ? 'e.ctid = changed.place' : 'e.account_id = :account_id and e.id = changed.id';
  return `with changed as materialized (
     select w.*, array(select json_array_elements_text(w.changed_fields::json)) as changed_list${byPlace ? ', e.place' : ''}
     from :entries as w${byPlace ? ` ${PLACE_OF_ENTRY}` : ''}
   ), ${byPlace ? DELETE_INDEX_ROWS : DELETE_JOINED_INDEX_ROWS}, ${WRITE_INDEX_ROWS}, updated as (
     ${byPlace ? UPDATE_INDEX_ROWS : UPDATE_JOINED_INDEX_ROWS}
   ), deleted_text as (
     delete from entry_texts t using changed
     where t.account_id = :account_id and t.entry_id = changed.id and changed.has_new_text
       and changed.search_text is null
   ), written_text as (
     insert into entry_texts (account_id, entry_id, collection_id, text)
     select :account_id, id, :collection_id, search_text from changed where has_new_text and search_text is not null
     on conflict (account_id, entry_id) do update set text = excluded.text
   ), kept as (
     insert into entry_versions (account_id, entry_id, version, "values", status, change, changed_fields, restored_from,
       author_type, author_id, created_at)
     select e.account_id, e.id, e.version, e."values", e.status, e.change, e.changed_fields, e.restored_from,
       e.author_type, e.author_id, e.updated_at
     from changed join entries e on ${isChanged} where :kept_versions > 0
   ), expired as (
     ${byPlace ? EXPIRE_VERSIONS : EXPIRE_JOINED_VERSIONS}
   ), published as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select :account_id, topic, array_agg(changed.id), array_agg(changed.version + 1 + e.publications),
       '[' || string_agg(left(published, -1) || ',"values":' || coalesce(published_values, stored) || '}', ',') || ']',
       :now
     from changed join entries e on ${isChanged}
     where ${areSubscribed(':account_id', ['entry.updated', 'entry.deleted'], 'changed.topic')} group by topic
   )
   update entries e
   set "values" = changed.stored::json, sort_keys = changed.sort_keys::jsonb, filter_bitmap = changed.filter_bitmap,
     status = changed.status, version = e.version + 1, updated_at = changed.updated_at, change = changed.change,
     changed_fields = changed.changed_list,
     restored_from = changed.restored_from, author_type = :author_type, author_id = :author_id
   from changed where ${isChanged}
   returning e.id`;
}

const setBitmapsSql = (byPlace: boolean) => {
  const isEntry = byPlace ? 'e.ctid = w.place' : 'e.account_id = :account_id and e.id = w.id';
  const entries = byPlace ? `(select w.filter_bitmap, e.place from :entries as w ${PLACE_OF_ENTRY})` : ':entries';
  return `with updated as (
     ${byPlace ? UPDATE_INDEX_ROWS : UPDATE_JOINED_INDEX_ROWS}
   )
   update entries e set filter_bitmap = w.filter_bitmap from ${entries} as w where ${isEntry}`;
};

/** Sets the filter bitmaps of entries that the transaction has locked by an earlier statement, and those of their index rows. */
export const setFilterBitmaps = statement('content.set_filter_bitmaps', {
  account_id: 'uuid',
  entries: rows({ id: 'uuid', filter_bitmap: 'bigint' }),
  kept_rows: INDEX_ROWS,
}).runs(setBitmapsSql(true), setBitmapsSql(false));
