import { statement } from '../../shared/postgres/statement.ts';

/** Records that blobs belong to no asset, and from when on they may be deleted. */
export const markOrphaned = statement('files.mark_orphaned', {
  account_id: 'uuid',
  keys: 'text[]',
  delete_after: 'timestamptz',
}).runs(
  `insert into orphaned_blobs (account_id, storage_key, delete_after)
   select :account_id, key, :delete_after from unnest(:keys) as key
   on conflict (account_id, storage_key) do update set delete_after = excluded.delete_after`,
);

/** Records that blobs belong to an asset now. Returns those that were not deleted meanwhile. */
export const claimBlobs = statement('files.claim_blobs', { account_id: 'uuid', keys: 'text[]' }).returns<{
  storage_key: string;
}>(
  `delete from orphaned_blobs where account_id = :account_id and storage_key = any(:keys)
   returning storage_key`,
);

/** Locks some that are due, which prevents their being claimed. */
export const lockDueBlobs = statement('files.lock_due_blobs', { now: 'timestamptz', max: 'integer' }).returns<{
  account_id: string;
  storage_key: string;
}>(
  `select account_id, storage_key from orphaned_blobs where delete_after <= :now
   order by delete_after limit :max for update skip locked`,
);

export const lockDueBlobsByKey = statement('files.lock_due_blobs_by_key', {
  account_id: 'uuid',
  keys: 'text[]',
  now: 'timestamptz',
}).returns<{ storage_key: string }>(
  `select storage_key from orphaned_blobs where account_id = :account_id and storage_key = any(:keys)
     and delete_after <= :now for update skip locked`,
);

export interface AssetBlob {
  storage_key: string;
  media_type: string;
  /** null: a poster, which has no recorded checksum. */
  sha256: Buffer | null;
  /** null: a poster. */
  bytes: number | null;
  account_id: string;
}

/** Tables of what can be made again from the files; a backup contains neither their rows nor their blobs. */
export const CACHE_TABLES = ['file_variants'];

/** The blobs of all accounts' assets in key order, after a key. */
export const listAssetBlobs = statement('files.list_asset_blobs', { after: 'text', max: 'integer' }).returns<AssetBlob>(
  `select distinct on (storage_key collate "C") * from (
     select storage_key, media_type, sha256, bytes, account_id from assets
     union all
     select poster_key, 'image/webp', null, null, account_id from assets where poster_key is not null
   ) stored
   where storage_key collate "C" > :after
   order by storage_key collate "C" limit :max`,
);

/** The blobs of all accounts' assets that were stored or replaced since a time. */
export const listAssetBlobsSince = statement('files.list_asset_blobs_since', {
  since: 'timestamptz',
}).returns<AssetBlob>(
  'select storage_key, media_type, sha256, bytes, account_id from assets where updated_at >= :since',
);

/** Makes posters again whose blobs are lost. */
export const requeuePosters = statement('files.requeue_posters', { keys: 'text[]', now: 'timestamptz' }).runs(
  'update assets set poster_key = null, poster_due = :now where poster_key = any(:keys)',
);

/** The newest of all accounts, for a check. */
export const listNewestBlobs = statement('files.list_newest_blobs', { max: 'integer' }).returns<{
  storage_key: string;
  bytes: number;
}>('select storage_key, bytes from assets order by id desc limit :max');

/** Returns a row if an asset has this blob. */
export const findBlobOwner = statement('files.find_blob_owner', { account_id: 'uuid', key: 'text' }).runs(
  'select from assets where account_id = :account_id and (storage_key = :key or poster_key = :key) limit 1',
);

export const countAssetBlobs = statement('files.count_asset_blobs', {}).returns<{ count: number }>(
  'select count(distinct storage_key) + count(distinct poster_key) as count from assets',
);

/** Marks the blobs of all files of an account as orphaned, before their rows are deleted. */
export const orphanAccountBlobs = statement('files.orphan_account_blobs', {
  account_id: 'uuid',
  now: 'timestamptz',
}).runs(
  `insert into orphaned_blobs (account_id, storage_key, delete_after)
   select :account_id, storage_key, :now from (
     select storage_key from assets where account_id = :account_id
     union select poster_key from assets where account_id = :account_id and poster_key is not null
     union select storage_key from file_variants where account_id = :account_id) blobs
   on conflict (account_id, storage_key) do update set delete_after = excluded.delete_after`,
);

/** Keeps the files that nothing uses any more for some time. */
export const keepOrphanedBlobs = statement('files.keep_orphaned', { account_id: 'uuid', until: 'timestamptz' }).runs(
  'update orphaned_blobs set delete_after = :until where account_id = :account_id and delete_after < :until',
);
