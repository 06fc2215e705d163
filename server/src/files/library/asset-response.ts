import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { AssetValue, StoredAsset } from '../contract.ts';
import { servedName } from '../uploads/file-name.ts';
import type { AssetRow } from './queries.ts';

/** The asset as the interface defines it: the response of an upload, and the value of an entry's field. */
export function serializeAssetValue(row: AssetRow, publicUrl: string): AssetValue {
  const { type, name, width, height } = row;
  return { assetId: publicId('ast', row.id), url: fileUrl(row, publicUrl), type, name, width, height };
}

export function serializeFile(row: AssetRow, publicUrl: string): StoredAsset {
  const { focal_x, focal_y, thumbhash, unused_since } = row;
  return {
    assetId: publicId('ast', row.id),
    url: fileUrl(row, publicUrl),
    type: row.type,
    name: row.name,
    width: row.width,
    height: row.height,
    mediaType: row.media_type,
    bytes: row.bytes,
    alt: row.alt,
    focalPoint: focal_x === null || focal_y === null ? null : { x: focal_x, y: focal_y },
    animated: row.animated,
    duration: row.duration_seconds,
    codec: row.codec,
    thumbhash: thumbhash?.toString('base64') ?? null,
    posterUrl: (row.poster_key ?? row.poster_due) && `${fileUrl(row, publicUrl)}?poster=true`,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    unusedSince: unused_since && isoTime(unused_since),
    tags: row.tags,
    status: row.deleted_at === null ? 'active' : 'deleted',
  };
}

function fileUrl(row: AssetRow, publicUrl: string): string {
  return `${publicUrl}/files/${filePath(row)}`;
}

/** The part of a file's URL after `/files/`. */
export function filePath(row: AssetRow): string {
  return `${encodeFileKey(row.account_id, row.url_key)}/${urlName(row)}`;
}

/**
 * The part of a file's URL that identifies it: the account and 128 random bits, as 43 base64url characters. The account
 * makes it a look-up by one shard's unique index.
 */
export function encodeFileKey(accountId: string, urlKey: string): string {
  return Buffer.from((accountId + urlKey).replaceAll('-', ''), 'hex').toString('base64url');
}

/** Reverses `encodeFileKey`; undefined for any other text. */
export function decodeFileKey(text: string): { account_id: string; url_key: string } | undefined {
  if (text.length !== 43) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Several texts decode to the same bytes: only the canonical one is a URL.
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return undefined;
  const hex = bytes.toString('hex');
  return { account_id: hex.slice(0, 32), url_key: hex.slice(32) };
}

/** The last part of the URL, for people and for tools that rely on the extension. It does not identify the file. */
function urlName(row: AssetRow): string {
  const name = servedName(row.name, row.media_type);
  const dot = name.lastIndexOf('.');
  const stem = name
    .slice(0, dot)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
  return `${stem || row.type}${name.slice(dot).toLowerCase()}`;
}
