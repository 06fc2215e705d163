import { statement } from '../shared/postgres/database.ts';

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
