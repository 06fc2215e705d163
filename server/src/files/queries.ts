import { statement, type Tx } from '../shared/postgres/database.ts';

export interface AssetRow {
  account_id: string;
  id: string;
  url_key: string;
  type: 'image' | 'video';
  media_type: string;
  name: string;
  bytes: number;
  sha256: Buffer;
  width: number;
  height: number;
  duration_seconds: number | null;
  storage_key: string;
  created_at: Date;
}

const COLUMNS = `account_id, id, url_key, type, media_type, name, bytes, sha256, width, height, duration_seconds,
  storage_key, created_at`;

export const findAssetRows = statement<AssetRow>(
  'files.find_assets',
  `select ${COLUMNS} from assets where account_id = $1 and id = any($2::uuid[])`,
);

/** Found by its address, which holds the account. */
export const findAssetByUrlKey = statement<AssetRow>(
  'files.find_by_url_key',
  `select ${COLUMNS} from assets where account_id = $1 and url_key = $2`,
);

const insert = statement(
  'files.insert_asset',
  `insert into assets (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

export async function insertAsset(tx: Tx, row: AssetRow): Promise<void> {
  await insert(
    tx,
    row.account_id,
    row.id,
    row.url_key,
    row.type,
    row.media_type,
    row.name,
    row.bytes,
    row.sha256,
    row.width,
    row.height,
    row.duration_seconds,
    row.storage_key,
    row.created_at,
  );
}
