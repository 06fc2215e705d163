import { rows, statement } from '../../shared/postgres/statement.ts';

/** An entry that uses a file. */
export interface FileUse {
  entry_id: string;
  collection_id: string;
  active: boolean;
}

export const findUses = statement('files.find_uses', {
  account_id: 'uuid',
  asset_id: 'uuid',
  max: 'integer',
}).returns<FileUse>(
  `select entry_id, collection_id, active from asset_uses where account_id = :account_id and asset_id = :asset_id
   order by active desc, entry_id limit :max`,
);

export const countUses = statement('files.count_uses', { account_id: 'uuid', asset_id: 'uuid' }).returns<{
  uses: number;
  active: number;
}>(
  `select count(*) as uses, count(*) filter (where active) as active from asset_uses
   where account_id = :account_id and asset_id = :asset_id`,
);

/** How many entries reference each of the assets, counted up to `max`. */
export const countUsesOfMany = statement('files.count_uses_of_many', {
  account_id: 'uuid',
  asset_ids: 'uuid[]',
  max: 'integer',
}).returns<{ id: string; uses: number }>(
  `select asset.id, (select count(*) from (
     select from asset_uses where account_id = :account_id and asset_id = asset.id limit :max) counted) as uses
   from unnest(:asset_ids) as asset (id)`,
);

const OF_ENTRIES = { account_id: 'uuid', entry_ids: 'uuid[]' } as const;

export const usesOfEntries = statement('files.uses_of_entries', OF_ENTRIES).returns<{
  entry_id: string;
  asset_id: string;
  active: boolean;
}>('select entry_id, asset_id, active from asset_uses where account_id = :account_id and entry_id = any(:entry_ids)');

export const deleteUsesOfEntries = statement('files.delete_uses_of_entries', OF_ENTRIES).runs(
  'delete from asset_uses where account_id = :account_id and entry_id = any(:entry_ids)',
);

export const writeUses = statement('files.write_uses', {
  account_id: 'uuid',
  removed: rows({ asset_id: 'uuid', entry_id: 'uuid' }),
  added: rows({ asset_id: 'uuid', entry_id: 'uuid', collection_id: 'uuid', active: 'boolean' }),
}).runs(
  `with deleted as (
     delete from asset_uses u using :removed as w
     where u.account_id = :account_id and u.asset_id = w.asset_id and u.entry_id = w.entry_id
   )
   insert into asset_uses (account_id, asset_id, entry_id, collection_id, active) select :account_id, w.* from :added as w
   on conflict (account_id, asset_id, entry_id) do update set active = excluded.active`,
);

/** The uses of active entries that had none. */
export const addUses = statement('files.add_uses', {
  account_id: 'uuid',
  added: rows({ asset_id: 'uuid', entry_id: 'uuid', collection_id: 'uuid' }),
}).runs(
  `with used as (
     insert into asset_uses (account_id, asset_id, entry_id, collection_id, active)
     select :account_id, w.asset_id, w.entry_id, w.collection_id, true from :added as w
     returning asset_id
   )
   update assets a set unused_since = null from (select distinct asset_id from used) u
   where a.account_id = :account_id and a.id = u.asset_id and a.unused_since is not null`,
);

/** Updates since when the locked assets are unused. */
export const markUsed = statement('files.mark_used', {
  account_id: 'uuid',
  asset_ids: 'uuid[]',
  now: 'timestamptz',
}).runs(
  `update assets a set unused_since = case when u.used then null else :now end
   from (
     select id, exists (select from asset_uses where account_id = :account_id and asset_id = id) as used
     from unnest(:asset_ids) as id
   ) u
   where a.account_id = :account_id and a.id = u.id and (a.unused_since is null) <> u.used`,
);
