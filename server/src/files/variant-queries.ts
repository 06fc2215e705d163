import { statement } from '../shared/postgres/database.ts';

/**
 * Gives up the variants of the sources $2. One that a process is making now is cleared when it must be done: were it
 * sooner, its bytes could come after.
 */
export const disownVariants = statement<{ storage_key: string }>(
  'files.disown_variants',
  `with gone as (
     delete from file_variants where account_id = $1 and source_key = any($2::text[])
     returning storage_key, case when bytes is null then lease_until else $3 end as clear_at
   )
   insert into unowned_files (account_id, storage_key, clear_at)
   select $1, storage_key, clear_at from gone
   on conflict (account_id, storage_key) do update set clear_at = excluded.clear_at
   returning storage_key`,
);

export const findVariant = statement<{ storage_key: string; bytes: number | null; lease_until: Date }>(
  'files.find_variant',
  `select storage_key, bytes, lease_until from file_variants
   where account_id = $1 and source_key = $2 and spec = $3`,
);

/**
 * Says that this process makes the variant until $5, under the key $4: a row, if nobody else does, and the asset $7 has
 * these bytes and keeps them until this is committed. What a process made that died in it belongs to nobody.
 */
export const claimVariant = statement<{ storage_key: string }>(
  'files.claim_variant',
  `with asset as (
     select from assets where account_id = $1 and id = $7 and $2 in (storage_key, poster_key) for key share
   ), dead as (
     select storage_key from file_variants
     where account_id = $1 and source_key = $2 and spec = $3 and bytes is null and lease_until < $6 for update
   ), disowned as (
     insert into unowned_files (account_id, storage_key, clear_at) select $1, storage_key, $6 from dead
     on conflict (account_id, storage_key) do nothing
   )
   insert into file_variants as known (account_id, source_key, spec, storage_key, lease_until, used_at)
   -- The dead one is counted so that it is read before it is written over.
   select $1, $2, $3, $4, $5, $6 from asset cross join (select count(*) from dead) as read_first
   on conflict (account_id, source_key, spec) do update
     set storage_key = excluded.storage_key, lease_until = excluded.lease_until, used_at = excluded.used_at
     where known.bytes is null and known.lease_until < $6
   returning storage_key`,
);

export const finishVariant = statement<{ storage_key: string }>(
  'files.finish_variant',
  `update file_variants set bytes = $5, used_at = $6
   where account_id = $1 and source_key = $2 and spec = $3 and storage_key = $4 returning storage_key`,
);

export const forgetVariant = statement(
  'files.forget_variant',
  'delete from file_variants where account_id = $1 and source_key = $2 and spec = $3 and storage_key = $4',
);

export const useVariant = statement(
  'files.use_variant',
  'update file_variants set used_at = $4 where account_id = $1 and source_key = $2 and spec = $3',
);

export const totalOfVariants = statement<{ bytes: number }>(
  'files.total_of_variants',
  'select coalesce(sum(bytes), 0)::bigint as bytes from file_variants',
);

/** Gives up the longest unused variants beyond $1 bytes, and what nobody finished before $2. $3: now. */
export const evictVariants = statement<{ storage_key: string }>(
  'files.evict_variants',
  `with ranked as (
     select account_id, source_key, spec, bytes, lease_until, sum(bytes) over (order by used_at desc, storage_key) as upto
     from file_variants
   ), gone as (
     delete from file_variants v using ranked r
     where v.account_id = r.account_id and v.source_key = r.source_key and v.spec = r.spec
       and (case when v.bytes is null then v.lease_until < $2 else r.upto > $1 end)
     returning v.account_id, v.storage_key
   )
   insert into unowned_files (account_id, storage_key, clear_at) select account_id, storage_key, $3 from gone
   on conflict (account_id, storage_key) do update set clear_at = excluded.clear_at
   returning storage_key`,
);
