import { statement } from '../../shared/postgres/statement.ts';

/**
 * Deletes the variants of some sources and marks their blobs as orphaned. A blob that a process is still writing may be
 * deleted only once its lease has ended: it could arrive after the deletion.
 */
export const discardVariants = statement('files.discard_variants', {
  account_id: 'uuid',
  source_keys: 'text[]',
  now: 'timestamptz',
}).returns<{ storage_key: string }>(
  `with deleted as (
     delete from file_variants where account_id = :account_id and source_key = any(:source_keys)
     returning storage_key, case when bytes is null then lease_until else :now end as delete_after
   )
   insert into orphaned_blobs (account_id, storage_key, delete_after)
   select :account_id, storage_key, delete_after from deleted
   on conflict (account_id, storage_key) do update set delete_after = excluded.delete_after
   returning storage_key`,
);

const VARIANT = { account_id: 'uuid', source_key: 'text', spec: 'text' } as const;
const IS_VARIANT = 'account_id = :account_id and source_key = :source_key and spec = :spec';

export const findVariant = statement('files.find_variant', VARIANT).returns<{
  storage_key: string;
  bytes: number | null;
  lease_until: Date;
}>(`select storage_key, bytes, lease_until from file_variants where ${IS_VARIANT}`);

/**
 * Leases the making of a variant to this process. Returns a row unless another process has the lease or the asset no
 * longer has this content, which it keeps until the commit. The blob of an expired lease is marked as orphaned.
 */
export const claimVariant = statement('files.claim_variant', {
  ...VARIANT,
  asset_id: 'uuid',
  storage_key: 'text',
  lease_until: 'timestamptz',
  now: 'timestamptz',
}).returns<{ storage_key: string }>(
  `with asset as (
     select id from assets where account_id = :account_id and id = :asset_id and :source_key in (storage_key, poster_key)
     for key share
   ), expired as (
     select storage_key from file_variants where ${IS_VARIANT} and bytes is null and lease_until < :now for update
   ), orphaned as (
     insert into orphaned_blobs (account_id, storage_key, delete_after) select :account_id, storage_key, :now from expired
     on conflict (account_id, storage_key) do nothing
   )
   insert into file_variants as known (account_id, source_key, spec, storage_key, lease_until, used_at)
   -- Counting the expired one makes sure that it is read before it is overwritten.
   select :account_id, :source_key, :spec, :storage_key, :lease_until, :now
   from asset cross join (select count(*) from expired) as read_first
   on conflict (account_id, source_key, spec) do update
     set storage_key = excluded.storage_key, lease_until = excluded.lease_until, used_at = excluded.used_at
     where known.bytes is null and known.lease_until < excluded.used_at
   returning storage_key`,
);

export const finishVariant = statement('files.finish_variant', {
  ...VARIANT,
  storage_key: 'text',
  bytes: 'bigint',
  now: 'timestamptz',
}).returns<{ storage_key: string }>(
  `update file_variants set bytes = :bytes, used_at = :now where ${IS_VARIANT} and storage_key = :storage_key
   returning storage_key`,
);

export const deleteVariant = statement('files.delete_variant', { ...VARIANT, storage_key: 'text' }).runs(
  `delete from file_variants where ${IS_VARIANT} and storage_key = :storage_key`,
);

export const recordVariantUse = statement('files.record_variant_use', { ...VARIANT, now: 'timestamptz' }).runs(
  `update file_variants set used_at = :now where ${IS_VARIANT}`,
);

export const totalVariantBytes = statement('files.total_variant_bytes', {}).returns<{ bytes: number }>(
  'select coalesce(sum(bytes), 0)::bigint as bytes from file_variants',
);

/** Deletes the least recently used variants beyond a total size, and unfinished ones whose lease ended before a time. */
export const evictVariants = statement('files.evict_variants', {
  max_bytes: 'bigint',
  lease_ended_before: 'timestamptz',
  now: 'timestamptz',
}).returns<{ storage_key: string }>(
  `with ranked as (
     select account_id, source_key, spec, bytes, lease_until,
       sum(bytes) over (order by used_at desc, storage_key) as running_total
     from file_variants
   ), deleted as (
     delete from file_variants v using ranked r
     where v.account_id = r.account_id and v.source_key = r.source_key and v.spec = r.spec
       and (case when v.bytes is null then v.lease_until < :lease_ended_before else r.running_total > :max_bytes end)
     returning v.account_id, v.storage_key
   )
   insert into orphaned_blobs (account_id, storage_key, delete_after) select account_id, storage_key, :now from deleted
   on conflict (account_id, storage_key) do update set delete_after = excluded.delete_after
   returning storage_key`,
);
