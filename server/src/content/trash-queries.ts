import { statement } from '../shared/postgres/database.ts';
import { COLLECTION_COLUMNS, type CollectionRow, type EntryRow } from './queries.ts';

export interface TrashedCollectionRow extends CollectionRow {
  entry_count: number;
}

/** Deleted collections, the last deleted first, from before ($2, $3). Their entries are counted no further than $5. */
export const listDeletedCollections = statement<TrashedCollectionRow>(
  'content.list_deleted_collections',
  `select ${COLLECTION_COLUMNS}, (
       select count(*) from (
         select from entries e where e.account_id = $1 and e.collection_id = c.id and e.status = 'active'
         order by e.created_at, e.id limit $5) as counted) as entry_count
   from collections c
   where account_id = $1 and status = 'deleted' and not purging and (updated_at, id) < ($2, $3)
   order by updated_at desc, id desc limit $4`,
);

export interface TrashedEntryRow extends Omit<EntryRow, 'keys' | 'signature'> {
  author_kind: 'user' | 'key' | 'command' | null;
  author_id: string | null;
}

/**
 * Deleted entries of a collection, the last deleted first, from before ($4, $5). No row at all: the collection is not at the
 * version $3 any more. One row without an entry: there are none.
 */
export const listDeletedEntries = statement<TrashedEntryRow>(
  'content.list_deleted_entries',
  `select e.* from collections c left join lateral (
     select id, "values"::text as "values", status, version, created_at, updated_at, author_kind, author_id
     from entries
     where account_id = $1 and collection_id = $2 and status = 'deleted' and (updated_at, id) < ($4, $5)
     order by updated_at desc, id desc limit $6
   ) e on true
   where c.account_id = $1 and c.id = $2 and c.version = $3 and c.status = 'active'`,
);

/** Removes deleted entries $2 with what is kept of them. What an index knew of them went when they were deleted. */
export const purgeEntries = statement<{ id: string }>(
  'content.purge_entries',
  `with versions as (
     delete from entry_versions where account_id = $1 and entry_id = any($2::uuid[])
   )
   delete from entries where account_id = $1 and id = any($2::uuid[]) and status = 'deleted' returning id`,
);

/** Some entries of all accounts that were deleted before $1, the oldest first, held. */
export const takeExpired = statement<{ account_id: string; id: string }>(
  'content.take_expired_entries',
  `select account_id, id from entries where status = 'deleted' and updated_at < $1
   order by updated_at limit $2 for update skip locked`,
);

/** Begins to remove the collections of all accounts that were deleted before $1. */
export const expireCollections = statement<{ account_id: string; id: string }>(
  'content.expire_collections',
  `update collections set purging = true where status = 'deleted' and not purging and updated_at < $1
   returning account_id, id`,
);

/** Begins to remove a deleted collection: from now on nobody sees it. */
export const markPurging = statement(
  'content.mark_purging',
  'update collections set purging = true where account_id = $1 and id = $2',
);

/** Some collection that is being removed, and that no other process is at; of all accounts. */
export const claimPurge = statement<{ account_id: string; id: string; fields: CollectionRow['fields'] }>(
  'content.claim_purge',
  `select account_id, id, fields from collections where purging
   order by account_id, id limit 1 for update skip locked`,
);

/** Stops the index of its fields $2 from being written. */
export const dropBackfills = statement(
  'content.drop_backfills',
  'delete from field_backfills where account_id = $1 and field_key = any($2::bigint[])',
);

/** Removes $3 rows of the index of the fields $2. Nobody else writes them: their collection is gone. */
export const purgeIndex = statement<{ count: number }>(
  'content.purge_index',
  `with gone as (
     delete from entry_index where ctid = any(array(
       select ctid from entry_index where account_id = $1 and field_key = any($2::bigint[]) limit $3))
     and account_id = $1
     returning 1
   )
   select count(*) as count from gone`,
);

/** Some entries of a collection, whatever their status. */
export const entriesToPurge = statement<{ id: string }>(
  'content.entries_to_purge',
  `(select id from entries where account_id = $1 and collection_id = $2 and status = 'active'
    order by created_at, id limit $3)
   union all
   (select id from entries where account_id = $1 and collection_id = $2 and status = 'deleted'
    order by updated_at, id limit $3)`,
);

/** Removes entries $2 of a collection that is being removed. */
export const purgeAnyEntries = statement(
  'content.purge_any_entries',
  `with versions as (
     delete from entry_versions where account_id = $1 and entry_id = any($2::uuid[])
   ), texts as (
     delete from entry_texts where account_id = $1 and entry_id = any($2::uuid[])
   )
   delete from entries where account_id = $1 and id = any($2::uuid[])`,
);

export const removeCollection = statement(
  'content.remove_collection',
  'delete from collections where account_id = $1 and id = $2 and purging',
);
