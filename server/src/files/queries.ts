import { statement, type Tx } from '../shared/postgres/database.ts';

/** What is known of the bytes, and the same for every asset that has them. */
export interface StoredFile {
  type: 'image' | 'video';
  media_type: string;
  bytes: number;
  sha256: Buffer;
  width: number;
  height: number;
  duration_seconds: number | null;
  codec: string | null;
  animated: boolean;
  thumbhash: Buffer | null;
  storage_key: string;
  poster_key: string | null;
  poster_width: number | null;
  poster_height: number | null;
}

export interface AssetRow extends StoredFile {
  account_id: string;
  id: string;
  url_key: string;
  name: string;
  alt: string | null;
  focal_x: number | null;
  focal_y: number | null;
  unused_since: Date | null;
  created_at: Date;
  updated_at: Date;
}

const STORED_NAMES = [
  'type',
  'media_type',
  'bytes',
  'sha256',
  'width',
  'height',
  'duration_seconds',
  'codec',
  'animated',
  'thumbhash',
  'storage_key',
  'poster_key',
  'poster_width',
  'poster_height',
] as const satisfies (keyof StoredFile)[];

const COLUMN_NAMES = [
  'account_id',
  'id',
  'url_key',
  'name',
  ...STORED_NAMES,
  'alt',
  'focal_x',
  'focal_y',
  'unused_since',
  'created_at',
  'updated_at',
] as const satisfies (keyof AssetRow)[];
const COLUMNS = COLUMN_NAMES.join(', ');

export const findAssetRows = statement<AssetRow>(
  'files.find_assets',
  `select ${COLUMNS} from assets where account_id = $1 and id = any($2::uuid[])`,
);

/** The same, none of which is deleted before the transaction ends. */
export const holdAssetRows = statement<AssetRow>(
  'files.hold_assets',
  `select ${COLUMNS} from assets where account_id = $1 and id = any($2::uuid[]) order by id for key share`,
);

/** Held against whoever would use, change or delete it. */
export const lockAssets = statement<AssetRow>(
  'files.lock_assets',
  `select ${COLUMNS} from assets where account_id = $1 and id = any($2::uuid[]) order by id for update`,
);

/** Found by its address, which holds the account. */
export const findAssetByUrlKey = statement<AssetRow>(
  'files.find_by_url_key',
  `select ${COLUMNS} from assets where account_id = $1 and url_key = $2`,
);

/** Found by an address that it had before its bytes were replaced. */
export const findAssetByOldUrlKey = statement<AssetRow>(
  'files.find_by_old_url_key',
  `select ${COLUMNS} from assets where account_id = $1
     and id = (select asset_id from asset_addresses where account_id = $1 and url_key = $2)`,
);

/** An asset with these bytes. */
export const findTwin = statement<AssetRow>(
  'files.find_twin',
  `select ${COLUMNS} from assets where account_id = $1 and sha256 = $2 limit 1`,
);

/** Keeps others from storing, or giving up, the same bytes until the transaction ends. */
export const lockContent = statement(
  'files.lock_content',
  `select pg_advisory_xact_lock(hashtextextended($1::text || encode($2::bytea, 'hex'), 5))`,
);

const insert = statement(
  'files.insert_asset',
  `insert into assets (${COLUMNS}) values (${COLUMN_NAMES.map((_, i) => `$${i + 1}`).join(', ')})`,
);

export async function insertAsset(tx: Tx, row: AssetRow): Promise<void> {
  await insert(tx, ...COLUMN_NAMES.map((name) => row[name]));
}

const replace = statement<AssetRow>(
  'files.replace_asset',
  `with moved as (
     insert into asset_addresses (account_id, url_key, asset_id) select account_id, url_key, id from assets
     where account_id = $1 and id = $2)
   update assets set url_key = $3, name = $4, updated_at = $5, ${STORED_NAMES.map((name, i) => `${name} = $${i + 6}`).join(', ')}
   where account_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** Gives an asset, which is locked, other bytes and another address; the one that it had leads to it. */
export async function replaceStored(
  tx: Tx,
  { account_id, id }: AssetRow,
  { urlKey, name, at }: { urlKey: string; name: string; at: Date },
  stored: StoredFile,
): Promise<AssetRow> {
  const [row] = await replace(tx, account_id, id, urlKey, name, at, ...STORED_NAMES.map((member) => stored[member]));
  if (!row) throw new Error('the asset went away while it was locked');
  return row;
}

export interface AssetFilter {
  type?: 'image' | 'video' | undefined;
  /** A part of the name, as a pattern of `like` in lower case. */
  name?: string | undefined;
  unused?: boolean | undefined;
}

type List = (tx: Tx, ...values: unknown[]) => Promise<AssetRow[]>;
const lists = new Map<string, List>();

/** The newest first, behind the id `before`. A statement for each set of filters, so that each has a plan of its own. */
export function listAssets(
  tx: Tx,
  accountId: string,
  before: string,
  limit: number,
  { type, name, unused }: AssetFilter,
): Promise<AssetRow[]> {
  const conditions = [
    ...(type === undefined ? [] : [{ sql: 'type = $', value: type }]),
    ...(name === undefined ? [] : [{ sql: 'lower(name) like $', value: name }]),
  ];
  const wanted = conditions.map(({ sql }, i) => ` and ${sql}${i + 4}`).join('');
  const key = `${wanted}${unused ? ' and unused_since is not null' : ''}`;
  let list = lists.get(key);
  if (!list) {
    const order = 'order by id desc limit $3';
    list = statement(
      `files.list_assets_${lists.size}`,
      `select ${COLUMNS} from assets where account_id = $1 and id < $2${key} ${order}`,
    );
    lists.set(key, list);
  }
  return list(tx, accountId, before, limit, ...conditions.map(({ value }) => value));
}

export const updateAsset = statement<AssetRow>(
  'files.update_asset',
  `update assets set name = $3, alt = $4, focal_x = $5, focal_y = $6, updated_at = $7
   where account_id = $1 and id = $2 returning ${COLUMNS}`,
);

export const deleteAssetRow = statement(
  'files.delete_asset',
  `with unused as (delete from asset_uses where account_id = $1 and asset_id = $2),
   unknown as (delete from asset_addresses where account_id = $1 and asset_id = $2)
   delete from assets where account_id = $1 and id = $2`,
);

export interface AssetUse {
  entry_id: string;
  collection_id: string;
  active: boolean;
}

export const findUses = statement<AssetUse>(
  'files.find_uses',
  `select entry_id, collection_id, active from asset_uses where account_id = $1 and asset_id = $2
   order by active desc, entry_id limit $3`,
);

export const countUses = statement<{ uses: number; active: number }>(
  'files.count_uses',
  `select count(*) as uses, count(*) filter (where active) as active from asset_uses
   where account_id = $1 and asset_id = $2`,
);

/** Of each of the assets $2, in their order, how many entries name it, counted to $3. */
export const countUsesOfMany = statement<{ uses: number }>(
  'files.count_uses_of_many',
  `select (select count(*) from (
     select from asset_uses where account_id = $1 and asset_id = wanted.id limit $3) named) as uses
   from unnest($2::uuid[]) with ordinality as wanted (id, place) order by place`,
);

export const usesOfEntries = statement<{ entry_id: string; asset_id: string; active: boolean }>(
  'files.uses_of_entries',
  'select entry_id, asset_id, active from asset_uses where account_id = $1 and entry_id = any($2::uuid[])',
);

/**
 * Writes which assets entries use: those that come ($2 to $5: asset, entry, its collection, whether it is active), and
 * those that are let go of ($6, $7: asset, entry).
 */
export const writeUses = statement(
  'files.write_uses',
  `with gone as (
     delete from asset_uses u using unnest($6::uuid[], $7::uuid[]) as row (asset_id, entry_id)
     where u.account_id = $1 and u.asset_id = row.asset_id and u.entry_id = row.entry_id
   )
   insert into asset_uses (account_id, asset_id, entry_id, collection_id, active)
   select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[])
   on conflict (account_id, asset_id, entry_id) do update set active = excluded.active`,
);

export const deleteUsesOfEntries = statement(
  'files.delete_uses_of_entries',
  'delete from asset_uses where account_id = $1 and entry_id = any($2::uuid[])',
);

/** Of the assets $2, which are locked: used ones are so from now on, and the others unused since $3. */
export const markUsed = statement(
  'files.mark_used',
  `update assets a set unused_since = case when u.used then null else $3::timestamptz end
   from (
     select id, exists (select from asset_uses where account_id = $1 and asset_id = id) as used
     from unnest($2::uuid[]) as id
   ) u
   where a.account_id = $1 and a.id = u.id and (a.unused_since is null) <> u.used`,
);

/** The longest unused of an account, unused since before $2. */
export const findUnused = statement<{ id: string; bytes: number }>(
  'files.find_unused',
  `select id, bytes from assets where account_id = $1 and unused_since < $2 order by unused_since, id limit $3`,
);

export const countUnused = statement<{ count: number }>(
  'files.count_unused',
  'select count(*) from assets where account_id = $1 and unused_since < $2',
);

export const accountsWithUnused = statement<{ account_id: string }>(
  'files.accounts_with_unused',
  'select distinct account_id from assets where unused_since < $1',
);

/** Says that the keys belong to no asset, and from when on they may be cleared. */
export const disown = statement(
  'files.disown',
  `insert into unowned_files (account_id, storage_key, clear_at)
   select $1, key, $3 from unnest($2::text[]) as key
   on conflict (account_id, storage_key) do update set clear_at = excluded.clear_at`,
);

/** Says that the keys belong to an asset now. A row for each that was not cleared meanwhile. */
export const own = statement<{ storage_key: string }>(
  'files.own',
  'delete from unowned_files where account_id = $1 and storage_key = any($2::text[]) returning storage_key',
);

/** Some that are due, held against whoever would own them. */
export const takeUnowned = statement<{ account_id: string; storage_key: string }>(
  'files.take_unowned',
  `select account_id, storage_key from unowned_files where clear_at <= $1
   order by clear_at limit $2 for update skip locked`,
);

export const takeUnownedKeys = statement<{ storage_key: string }>(
  'files.take_unowned_keys',
  `select storage_key from unowned_files where account_id = $1 and storage_key = any($2::text[])
     and clear_at <= $3 for update skip locked`,
);

export interface StoredKey {
  storage_key: string;
  media_type: string;
  /** null: of a poster none is kept. */
  sha256: Buffer | null;
  account_id: string;
}

/** What assets of all accounts have in the storage, in the order of keys, behind $1. */
export const findStored = statement<StoredKey>(
  'files.find_stored',
  `select distinct on (storage_key collate "C") * from (
     select storage_key, media_type, sha256, account_id from assets
     union all
     select poster_key, 'image/webp', null, account_id from assets where poster_key is not null
   ) stored
   where storage_key collate "C" > $1
   order by storage_key collate "C" limit $2`,
);

export const isStored = statement(
  'files.is_stored',
  'select from assets where account_id = $1 and (storage_key = $2 or poster_key = $2) limit 1',
);

export const countStored = statement<{ count: number }>(
  'files.count_stored',
  'select count(distinct storage_key) + count(distinct poster_key) as count from assets',
);
