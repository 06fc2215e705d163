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
