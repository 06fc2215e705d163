import { statement } from '../../shared/postgres/statement.ts';
import type { CollectionRow } from '../collections/collection.ts';
import { COLLECTION_COLUMNS } from '../collections/queries.ts';
import type { AuthorColumns, EntryRow } from '../entries/queries.ts';

export interface TrashedCollectionRow extends CollectionRow {
  entry_count: number;
}

const before = { before_updated_at: 'timestamptz', before_id: 'uuid', limit: 'integer' } as const;

/** Deleted collections before a position, most recently deleted first. Their entries are counted up to `count_limit`. */
export const listDeletedCollections = statement('content.list_deleted_collections', {
  account_id: 'uuid',
  ...before,
  count_limit: 'integer',
}).returns<TrashedCollectionRow>(
  `select ${COLLECTION_COLUMNS}, (
       select count(*) from (
         select from entries e where e.account_id = :account_id and e.collection_id = c.id and e.status = 'active'
         order by e.created_at, e.id limit :count_limit) as counted) as entry_count
   from collections c
   where account_id = :account_id and status = 'deleted' and not purging
     and (updated_at, id) < (:before_updated_at, :before_id)
   order by updated_at desc, id desc limit :limit`,
);

export type TrashedEntryRow = Pick<EntryRow, 'id' | 'values' | 'status' | 'version' | 'created_at' | 'updated_at'> &
  AuthorColumns;

/**
 * Deleted entries of a collection before a position, most recently deleted first. No row: the collection is not at this
 * version anymore. One row without an entry: there are none.
 */
export const listDeletedEntries = statement('content.list_deleted_entries', {
  account_id: 'uuid',
  collection_id: 'uuid',
  collection_version: 'bigint',
  ...before,
}).returns<TrashedEntryRow>(
  `select e.* from collections c left join lateral (
     select id, "values"::text as "values", status, version, created_at, updated_at, author_type, author_id
     from entries
     where account_id = :account_id and collection_id = :collection_id and status = 'deleted'
       and (updated_at, id) < (:before_updated_at, :before_id)
     order by updated_at desc, id desc limit :limit
   ) e on true
   where c.account_id = :account_id and c.id = :collection_id and c.version = :collection_version
     and c.status = 'active'`,
);

const entryIds = { account_id: 'uuid', ids: 'uuid[]' } as const;

/**
 * Removes what editors wrote about entries, and what was published of them. Releases keep the values that they publish: their items stay, so that a release
 * without one of its entries says so.
 */
const CLEAR_EDITORIAL = `
     update release_items set "values" = null where account_id = :account_id and entry_id = any(:ids)
   ), reviews as (
     delete from entry_reviews where account_id = :account_id and entry_id = any(:ids)
   ), comments as (
     delete from entry_comments where account_id = :account_id and entry_id = any(:ids)
   ), publications as (
     delete from deleted_publications where account_id = :account_id and entry_id = any(:ids)
   ), former as (
     delete from former_publications where account_id = :account_id and entry_id = any(:ids)
   ), presence as (
     delete from entry_presence where account_id = :account_id and entry_id = any(:ids)
   ), drafts as (
     delete from entry_drafts where account_id = :account_id and entry_id = any(:ids)`;

/** Deletes deleted entries with their versions. Their rows in the indexes were deleted when they were. */
export const deleteEntryRows = statement('content.delete_entries', entryIds).runs(
  `with versions as (
     delete from entry_versions where account_id = :account_id and entry_id = any(:ids)
   ), slugs as (
     delete from old_slugs where account_id = :account_id and entry_id = any(:ids)
   ), planned as (${CLEAR_EDITORIAL}
   )
   delete from entries where account_id = :account_id and id = any(:ids) and status = 'deleted'`,
);

/** Locks entries of all accounts that were deleted before a time, oldest first. */
export const takeExpiredEntries = statement('content.take_expired_entries', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; id: string }>(
  `select account_id, id from entries where status = 'deleted' and updated_at < :before
   order by updated_at limit :limit for update skip locked`,
);

/** Marks the collections of all accounts that were deleted before a time for purging. */
export const expireCollections = statement('content.expire_collections', { before: 'timestamptz' }).runs(
  `update collections set purging = true where status = 'deleted' and not purging and updated_at < :before`,
);

const oneCollection = { account_id: 'uuid', id: 'uuid' } as const;

/** Marks a deleted collection for purging, which hides it from everyone. */
export const markPurging = statement('content.mark_purging', oneCollection).runs(
  'update collections set purging = true where account_id = :account_id and id = :id',
);

/** A collection of any account that is marked for purging and that no other process is working on. */
export const claimPurge = statement('content.claim_purge', {}).returns<{
  account_id: string;
  id: string;
  fields: CollectionRow['fields'];
  settings: CollectionRow['settings'];
}>(
  `select account_id, id, fields, settings from collections where purging
   order by account_id, id limit 1 for update skip locked`,
);

export const deleteBackfills = statement('content.delete_backfills', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
}).runs('delete from field_backfills where account_id = :account_id and field_key = any(:field_keys)');

/** Deletes index rows of fields, up to a limit. No other transaction writes them, since their collection is being purged. */
export const deleteIndexRows = statement('content.delete_index_rows', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
  limit: 'integer',
}).returns<{ count: number }>(
  `with deleted as (
     delete from entry_index where ctid = any(array(
       select ctid from entry_index where account_id = :account_id and field_key = any(:field_keys) limit :limit))
     and account_id = :account_id
     returning 1
   )
   select count(*) as count from deleted`,
);

/** Entries of a collection of any status, up to `limit` of each. */
export const listEntriesToPurge = statement('content.list_entries_to_purge', {
  account_id: 'uuid',
  collection_id: 'uuid',
  limit: 'integer',
}).returns<{ id: string }>(
  `(select id from entries where account_id = :account_id and collection_id = :collection_id and status = 'active'
    order by created_at, id limit :limit)
   union all
   (select id from entries where account_id = :account_id and collection_id = :collection_id and status = 'deleted'
    order by updated_at, id limit :limit)`,
);

/** Deletes entries of a collection that is being purged. */
export const deleteEntriesWithTexts = statement('content.delete_entries_with_texts', entryIds).runs(
  `with versions as (
     delete from entry_versions where account_id = :account_id and entry_id = any(:ids)
   ), planned as (${CLEAR_EDITORIAL}
   ), texts as (
     delete from entry_texts where account_id = :account_id and entry_id = any(:ids)
   ), slugs as (
     delete from old_slugs where account_id = :account_id and entry_id = any(:ids)
   )
   delete from entries where account_id = :account_id and id = any(:ids)`,
);

export const deleteCollectionRow = statement('content.delete_collection', oneCollection).runs(
  `with changes as (
     delete from published_changes where account_id = :account_id and collection_id = :id
   ), referencing as (
     delete from reference_fields where account_id = :account_id and :id in (collection_id, target_id)
   )
   delete from collections where account_id = :account_id and id = :id and purging`,
);
