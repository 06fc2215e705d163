import { rows, statement } from '../../shared/postgres/statement.ts';
import { INDEX_FORMAT } from '../entries/index-entry.ts';
import type { CollectionRow } from './collection.ts';

export const COLLECTION_COLUMNS = `id, name, description, fields, display_field_id, default_sort, status, publishing, public, preview_url, review,
  locales, partial, key, settings, index_format, version, created_at, updated_at`;

export const nextFieldKeys = statement('content.next_field_keys', { count: 'integer' }).returns<{ key: number }>(
  `select nextval('field_key_seq') as key from generate_series(1, :count)`,
);

export const insertCollection = statement('content.insert_collection', {
  account_id: 'uuid',
  id: 'uuid',
  name: 'text',
  description: 'text?',
  fields: 'jsonb',
  display_field_id: 'text?',
  default_sort: 'jsonb?',
  publishing: 'boolean',
  public: 'boolean',
  preview_url: 'text?',
  review: 'text?',
  locales: 'jsonb?',
  key: 'text?',
  settings: 'jsonb?',
  created_at: 'timestamptz',
}).returns<CollectionRow>(
  `insert into collections
     (account_id, id, name, description, fields, display_field_id, default_sort, status, publishing, public, preview_url, review,
      locales, key, settings, index_format, created_at, updated_at)
   values (:account_id, :id, :name, :description, :fields, :display_field_id, :default_sort, 'active', :publishing, :public, :preview_url, :review,
     :locales, :key, :settings, ${INDEX_FORMAT}, :created_at, :created_at)
   returning ${COLLECTION_COLUMNS}`,
);

const byId = { account_id: 'uuid', id: 'uuid' } as const;

export const findCollection = statement('content.find_collection', byId).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections where account_id = :account_id and id = :id and not purging`,
);

/** Active collections. */
export const findCollections = statement('content.find_collections', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = :account_id and id = any(:ids) and status = 'active' and not purging`,
);

/** Blocks everyone who writes the collection or its entries until the transaction ends. */
export const lockCollection = statement('content.lock_collection', byId).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = :account_id and id = :id and not purging for update`,
);

/** Blocks changes of the collection until the transaction ends. */
export const shareLockCollection = statement('content.share_lock_collection', byId).returns<{ version: number }>(
  `select version from collections where account_id = :account_id and id = :id and status = 'active' for share`,
);

export const updateCollectionRow = statement('content.update_collection', {
  ...byId,
  name: 'text',
  description: 'text?',
  fields: 'jsonb',
  display_field_id: 'text?',
  default_sort: 'jsonb?',
  status: 'text',
  publishing: 'boolean',
  public: 'boolean',
  preview_url: 'text?',
  review: 'text?',
  locales: 'jsonb?',
  key: 'text?',
  settings: 'jsonb?',
  now: 'timestamptz',
}).returns<CollectionRow>(
  `update collections
   set name = :name, description = :description, fields = :fields, display_field_id = :display_field_id,
     default_sort = :default_sort, status = :status, publishing = :publishing, public = :public,
     preview_url = :preview_url, review = :review, locales = :locales, key = :key, settings = :settings,
     version = version + 1,
     updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id
   returning ${COLLECTION_COLUMNS}`,
);

/** Active collections after a position, oldest first. */
export const listCollectionRows = statement('content.list_collections', {
  account_id: 'uuid',
  after_created_at: 'timestamptz',
  after_id: 'uuid',
  limit: 'integer',
}).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = :account_id and status = 'active' and (created_at, id) > (:after_created_at, :after_id)
   order by created_at, id limit :limit`,
);

const ofCollection = { account_id: 'uuid', collection_id: 'uuid' } as const;

/** How many active entries each active collection has, counted up to a limit. */
export const countEntriesByCollection = statement('content.count_entries_by_collection', {
  account_id: 'uuid',
  limit: 'integer',
}).returns<{ id: string; count: number }>(
  `select c.id, (
     select count(*) from (
       select from entries e where e.account_id = :account_id and e.collection_id = c.id and e.status = 'active'
       order by e.created_at, e.id limit :limit) as counted) as count
   from collections c where account_id = :account_id and status = 'active' order by c.id`,
);

// A restored field may still have rows from before it was deleted, with outdated filter bitmaps.
const UPDATE_BITMAP =
  'on conflict (account_id, field_key, sort_key, entry_id) do update set filter_bitmap = excluded.filter_bitmap';

/** What is read and indexed alike for entries and for published ones. @param suffix of the statements' names */
function statementsOf(table: 'entries' | 'published_entries', suffix: 'entries' | 'published') {
  return {
    count: statement(`content.count_${suffix}`, { ...ofCollection, limit: 'bigint?' }).returns<{ count: number }>(
      `select count(*) from (
         select from ${table} where account_id = :account_id and collection_id = :collection_id and status = 'active'
         order by created_at, id limit :limit
       ) as counted`,
    ),
    insertMissing: statement(`content.insert_missing_${suffix}`, {
      ...ofCollection,
      fields: rows({ key: 'bigint' }),
    }).runs(
      `insert into entry_index (account_id, field_key, sort_key, entry_id, filter_bitmap)
       select e.account_id, field.key, chr(1114111), e.id, e.filter_bitmap
       from ${table} e cross join :fields as field
       where e.account_id = :account_id and e.collection_id = :collection_id and e.status = 'active'
         and not e.sort_keys ? field.key::text
       ${UPDATE_BITMAP}`,
    ),
    backfill: statement(`content.backfill_${suffix}`, {
      ...ofCollection,
      field_key: 'bigint',
      after_created_at: 'timestamptz',
      after_id: 'uuid',
      limit: 'integer',
    }).returns<{ count: number; last: string | null }>(
      `with chunk as materialized (
         select id from ${table}
         where account_id = :account_id and collection_id = :collection_id and status = 'active'
           and (created_at, id) > (:after_created_at, :after_id)
         order by created_at, id limit :limit
       ), without as (
         select e.id, e.filter_bitmap from ${table} e
         where e.account_id = :account_id and e.id = any(array(select id from chunk)) and e.status = 'active'
           and not e.sort_keys ? :field_key::text
         for share
       ), written as (
         insert into entry_index (account_id, field_key, sort_key, entry_id, filter_bitmap)
         select :account_id, :field_key, chr(1114111), id, filter_bitmap from without
         ${UPDATE_BITMAP}
       )
       select count(*) as count, max(id::text)::uuid as last from chunk`,
    ),
  };
}

const ofEntries = statementsOf('entries', 'entries');
const ofPublished = statementsOf('published_entries', 'published');

/** Counts the active entries of a collection, up to `limit`. */
export const countEntries = ofEntries.count;
export const countPublished = ofPublished.count;

/** Inserts the index rows of all entries without a value of these fields. The transaction holds the collection's lock. */
export const insertMissingRows = ofEntries.insertMissing;
/** @param fields by their published keys */
export const insertMissingPublished = ofPublished.insertMissing;

/** Leaves these rows to the worker, which starts at the first entry even if a backfill is already under way. */
export const requestBackfill = statement('content.request_backfill', {
  ...ofCollection,
  fields: rows({ key: 'bigint' }),
  published: 'boolean',
}).runs(
  `insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
   select :account_id, :collection_id, field.key, '00000000-0000-0000-0000-000000000000', :published from :fields as field
   on conflict (account_id, field_key) do update set entry_id = excluded.entry_id`,
);

export interface BackfillRow {
  account_id: string;
  collection_id: string;
  field_key: number;
  entry_id: string;
  /** Whether it is the key of a field among published entries. */
  published: boolean;
}

/** A backfill of any account that no other process is working on. */
export const claimBackfill = statement('content.claim_backfill', {}).returns<BackfillRow>(
  `select account_id, collection_id, field_key, entry_id, published from field_backfills
   order by account_id, field_key limit 1 for update skip locked`,
);

/**
 * Writes the rows of the next entries after a position and returns the last of them and their number. Entries are locked
 * while their rows are written, so that one that gets a value at the same time is skipped.
 */
export const backfillEntries = ofEntries.backfill;
export const backfillPublished = ofPublished.backfill;

const ofField = { account_id: 'uuid', field_key: 'bigint', entry_id: 'uuid' } as const;

export const advanceBackfill = statement('content.advance_backfill', ofField).runs(
  'update field_backfills set entry_id = :entry_id where account_id = :account_id and field_key = :field_key',
);

/** Returns no row if the backfill was restarted since it reached the entry. */
export const finishBackfill = statement('content.finish_backfill', ofField).returns<{ field_key: number }>(
  `delete from field_backfills
   where account_id = :account_id and field_key = :field_key and entry_id = :entry_id returning field_key`,
);

/** Stores fields whose index is complete. Not a change that `updated_at` reports. */
export const replaceFields = statement('content.replace_fields', { ...byId, fields: 'jsonb' }).runs(
  'update collections set fields = :fields, version = version + 1 where account_id = :account_id and id = :id',
);
