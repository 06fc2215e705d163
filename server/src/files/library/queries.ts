import type { Tx } from '../../shared/postgres/database.ts';
import { DynamicParameters, rows, type SqlType, statement } from '../../shared/postgres/statement.ts';
import type { FileTextColumns } from './file-texts.ts';

export type FileType = 'image' | 'video' | 'file';

/** What is known about a file's content, the same for every asset that has it. */
export interface StoredFile {
  type: FileType;
  media_type: string;
  bytes: number;
  sha256: Buffer;
  /** As displayed; null for other files than images and videos. */
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  codec: string | null;
  animated: boolean;
  thumbhash: Buffer | null;
  storage_key: string;
  poster_key: string | null;
  poster_width: number | null;
  poster_height: number | null;
  /** Of a video without its poster yet: when to make it, or until when a process has the lease to. */
  poster_due: Date | null;
}

export interface AssetRow extends StoredFile, FileTextColumns {
  account_id: string;
  id: string;
  url_key: string;
  name: string;
  folder_id: string | null;
  /** Of a private file. */
  signing_key: Buffer | null;
  focal_x: number | null;
  focal_y: number | null;
  unused_since: Date | null;
  created_at: Date;
  updated_at: Date;
  tags: string[];
  /** In the trash since. */
  deleted_at: Date | null;
}

/** A new asset has no tags and translations, and is not in the trash. */
type NewAssetRow = Omit<AssetRow, 'tags' | 'translations' | 'deleted_at'>;

const STORED = rows({
  type: 'text',
  media_type: 'text',
  bytes: 'bigint',
  sha256: 'bytea',
  width: 'integer?',
  height: 'integer?',
  duration_seconds: 'double precision?',
  codec: 'text?',
  animated: 'boolean',
  thumbhash: 'bytea?',
  storage_key: 'text',
  poster_key: 'text?',
  poster_width: 'integer?',
  poster_height: 'integer?',
  poster_due: 'timestamptz?',
} satisfies Record<keyof StoredFile, SqlType>);

const ASSET = rows({
  account_id: 'uuid',
  id: 'uuid',
  url_key: 'uuid',
  name: 'text',
  ...STORED.columns,
  alt: 'text?',
  title: 'text?',
  caption: 'text?',
  folder_id: 'uuid?',
  signing_key: 'bytea?',
  focal_x: 'double precision?',
  focal_y: 'double precision?',
  unused_since: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} satisfies Record<keyof NewAssetRow, SqlType>);
const COLUMNS = `${ASSET.list}, tags, translations, deleted_at`;

const BY_IDS = { account_id: 'uuid', ids: 'uuid[]' } as const;

export const findAssetRows = statement('files.find_assets', BY_IDS).returns<AssetRow>(
  `select ${COLUMNS} from assets where account_id = :account_id and id = any(:ids)`,
);

/** Also prevents their deletion until the transaction ends. */
export const shareLockAssetRows = statement('files.share_lock_assets', BY_IDS).returns<AssetRow>(
  `select ${COLUMNS} from assets where account_id = :account_id and id = any(:ids) order by id for key share`,
);

/** Also prevents their use, change and deletion by others until the transaction ends. */
export const lockAssetRows = statement('files.lock_assets', BY_IDS).returns<AssetRow>(
  `select ${COLUMNS} from assets where account_id = :account_id and id = any(:ids) order by id for update`,
);

export const findAssetByUrlKey = statement('files.find_by_url_key', {
  account_id: 'uuid',
  url_key: 'uuid',
}).returns<AssetRow>(`select ${COLUMNS} from assets where account_id = :account_id and url_key = :url_key`);

/** By a URL key from before the content was replaced. */
export const findAssetByOldUrlKey = statement('files.find_by_old_url_key', {
  account_id: 'uuid',
  url_key: 'uuid',
}).returns<AssetRow>(
  `select ${COLUMNS} from assets where account_id = :account_id
     and id = (select asset_id from asset_urls where account_id = :account_id and url_key = :url_key)`,
);

/** Any asset with this content. */
export const findAssetByContent = statement('files.find_by_content', {
  account_id: 'uuid',
  sha256: 'bytea',
}).returns<AssetRow>(`select ${COLUMNS} from assets where account_id = :account_id and sha256 = :sha256 limit 1`);

/** Prevents others from storing or discarding this content until the transaction ends. */
export const lockContent = statement('files.lock_content', { account_id: 'text', sha256: 'bytea' }).runs(
  `select pg_advisory_xact_lock(hashtextextended(:account_id || encode(:sha256, 'hex'), 5))`,
);

export const insertAssets = statement('files.insert_assets', { assets: ASSET }).runs(
  `insert into assets (${ASSET.list}) select * from :assets as w`,
);

/** Gives a locked asset other content and another URL key, and records the previous one. */
export const replaceContent = statement('files.replace_content', {
  account_id: 'uuid',
  id: 'uuid',
  url_key: 'uuid',
  name: 'text',
  updated_at: 'timestamptz',
  content: STORED,
}).returns<AssetRow>(
  `with previous as (
     insert into asset_urls (account_id, url_key, asset_id) select account_id, url_key, id from assets
     where account_id = :account_id and id = :id)
   update assets set url_key = :url_key, name = :name, updated_at = :updated_at, (${STORED.list}) = (select * from :content as w)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

interface AssetFilter {
  type?: FileType | undefined;
  /** UUID; null: outside of folders. */
  folder?: string | null | undefined;
  /** A lower-case pattern for `like`. */
  name?: string | undefined;
  unused?: boolean | undefined;
  /** Only images without an alt text. */
  missingAlt?: boolean | undefined;
  tag?: string | undefined;
  /** Those in the trash instead of the others. */
  deleted?: boolean | undefined;
}

/** Assets with ids below `before`, newest first. Each combination of filters is a named statement with its own plan. */
export async function listAssets(
  tx: Tx,
  accountId: string,
  before: string,
  limit: number,
  { type, name, unused, missingAlt, tag, deleted, folder }: AssetFilter,
): Promise<AssetRow[]> {
  const parameters = new DynamicParameters();
  const conditions = [`account_id = ${parameters.add('uuid', accountId)}`, `id < ${parameters.add('uuid', before)}`];
  if (type !== undefined) conditions.push(`type = ${parameters.add('text', type)}`);
  if (name !== undefined) conditions.push(`lower(name) like ${parameters.add('text', name)}`);
  if (folder === null) conditions.push('folder_id is null');
  else if (folder !== undefined) conditions.push(`folder_id = ${parameters.add('uuid', folder)}`);
  if (unused) conditions.push('unused_since is not null');
  if (missingAlt) conditions.push(`type = 'image' and alt is null`);
  if (tag !== undefined) {
    conditions.push(`tags <> '[]' and tags @> ${parameters.add('jsonb', JSON.stringify([tag]))}`);
  }
  conditions.push(deleted ? 'deleted_at is not null' : 'deleted_at is null');
  const filters = [
    type !== undefined && 'type',
    name !== undefined && 'name',
    folder === null ? 'top' : folder !== undefined && 'folder',
    unused && 'unused',
    missingAlt && 'missing_alt',
    tag !== undefined && 'tag',
    deleted && 'deleted',
  ].filter(Boolean);
  const { rows: found } = await tx.query<AssetRow>({
    name: ['files.list_assets', ...filters].join('_'),
    text: `select ${COLUMNS} from assets where ${conditions.join(' and ')}
           order by id desc limit ${parameters.add('integer', limit)}`,
    values: parameters.values,
  });
  return found;
}

export const updateAsset = statement('files.update_asset', {
  account_id: 'uuid',
  id: 'uuid',
  name: 'text',
  alt: 'text?',
  title: 'text?',
  caption: 'text?',
  translations: 'jsonb',
  folder_id: 'uuid?',
  focal_x: 'double precision?',
  focal_y: 'double precision?',
  tags: 'jsonb',
  deleted_at: 'timestamptz?',
  updated_at: 'timestamptz',
}).returns<AssetRow>(
  `update assets set name = :name, alt = :alt, title = :title, caption = :caption, translations = :translations,
     folder_id = :folder_id, focal_x = :focal_x, focal_y = :focal_y, tags = :tags, deleted_at = :deleted_at,
     updated_at = :updated_at
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteAssetRow = statement('files.delete_asset', { account_id: 'uuid', id: 'uuid' }).runs(
  `with uses as (delete from asset_uses where account_id = :account_id and asset_id = :id),
   urls as (delete from asset_urls where account_id = :account_id and asset_id = :id)
   delete from assets where account_id = :account_id and id = :id`,
);

/** The account's assets unused since before a time, longest unused first. */
export const findUnused = statement('files.find_unused', {
  account_id: 'uuid',
  before: 'timestamptz',
  max: 'integer',
}).returns<{ id: string; bytes: number }>(
  `select id, bytes from assets where account_id = :account_id and unused_since < :before
   order by unused_since, id limit :max`,
);

export const countUnused = statement('files.count_unused', { account_id: 'uuid', before: 'timestamptz' }).returns<{
  count: number;
}>('select count(*) from assets where account_id = :account_id and unused_since < :before');

export const accountsWithUnused = statement('files.accounts_with_unused', { before: 'timestamptz' }).returns<{
  account_id: string;
}>('select distinct account_id from assets where unused_since < :before');

/** The tags of an account's files, with how many have each. */
export const countTags = statement('files.count_tags', { account_id: 'uuid', max: 'integer' }).returns<{
  tag: string;
  files: number;
}>(
  `select tag, count(*) as files from assets, jsonb_array_elements_text(tags) as tag
   where account_id = :account_id and tags <> '[]' and deleted_at is null
   group by tag order by tag limit :max`,
);

/** Files that have been in the trash since before a time. */
export const findTrashed = statement('files.find_trashed', { before: 'timestamptz', max: 'integer' }).returns<{
  account_id: string;
  id: string;
}>('select account_id, id from assets where deleted_at < :before order by deleted_at limit :max');
