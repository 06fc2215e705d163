import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { AssetValue, StoredAsset } from './contract.ts';
import { servedName } from './file-name.ts';
import type { AssetRow } from './queries.ts';

/** The asset as the interface has it: what an upload answers, and what entries hold. */
export function assetValue(row: AssetRow, publicUrl: string): AssetValue {
  return {
    assetId: publicId('ast', row.id),
    url: fileUrl(row, publicUrl),
    type: row.type,
    name: row.name,
    width: row.width,
    height: row.height,
  };
}

/** All that is told of a file. */
export function fileAnswer(row: AssetRow, publicUrl: string): StoredAsset {
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
    posterUrl: row.poster_key && `${fileUrl(row, publicUrl)}?poster=true`,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    unusedSince: unused_since && isoTime(unused_since),
  };
}

function fileUrl(row: AssetRow, publicUrl: string): string {
  return `${publicUrl}/files/${filePath(row)}`;
}

/** The two parts of a file's address behind `/files/`. */
export function filePath(row: AssetRow): string {
  return `${writeFileKey(row.account_id, row.url_key)}/${urlName(row)}`;
}

/**
 * The part of a file's address that names it: the account and 128 random bits, as 43 base64url characters. With the
 * account in it, the file is found by one shard's unique index.
 */
export function writeFileKey(accountId: string, urlKey: string): string {
  return Buffer.from((accountId + urlKey).replaceAll('-', ''), 'hex').toString('base64url');
}

/** What `writeFileKey` was given, or undefined where it never wrote this text. */
export function readFileKey(text: string): { accountId: string; urlKey: string } | undefined {
  if (text.length !== 43) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Several texts decode to the same bytes: only the one that was written is an address.
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return undefined;
  const hex = bytes.toString('hex');
  return { accountId: hex.slice(0, 32), urlKey: hex.slice(32) };
}

/** The end of the address, for people and for tools that go by the extension. It does not take part in finding the file. */
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
