import { SRCSET_SIZES } from '../../shared/config.ts';
import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { AssetValue, StoredAsset } from '../contract.ts';
import { servedName } from '../uploads/file-name.ts';
import { textOf, translationMembers } from './file-texts.ts';
import { placeholderOf } from './placeholder.ts';
import { signedQuery } from './private-urls.ts';
import type { AssetRow } from './queries.ts';

/**
 * The asset as the interface defines it: the response of an upload, and the value of an entry's field.
 * @param locales of its texts, in order of preference
 */
export function serializeAssetValue(row: AssetRow, publicUrl: string, locales: readonly string[] = []): AssetValue {
  const url = fileUrl(row, publicUrl);
  return {
    assetId: publicId('ast', row.id),
    url,
    type: row.type,
    mediaType: row.media_type,
    name: row.name,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    duration: row.duration_seconds,
    alt: textOf(row, 'alt', locales),
    title: textOf(row, 'title', locales),
    caption: textOf(row, 'caption', locales),
    focalPoint: focalPointOf(row),
    placeholder: row.thumbhash && placeholderOf(row.thumbhash),
    poster: posterUrlOf(row, url),
    srcset: srcsetOf(row, url),
  };
}

function focalPointOf({ focal_x, focal_y }: AssetRow): { x: number; y: number } | null {
  return focal_x === null || focal_y === null ? null : { x: focal_x, y: focal_y };
}

function posterUrlOf({ poster_key, poster_due }: AssetRow, url: string): string | null {
  return (poster_key ?? poster_due) === null ? null : withQuery(url, 'poster=true');
}

/** Variants of an image that are narrower than it is. SVG has every size. */
function srcsetOf({ type, media_type, width }: AssetRow, url: string): string | null {
  if (type !== 'image' || media_type === 'image/svg+xml') return null;
  const smaller = SRCSET_SIZES.filter((size) => size < (width ?? 0));
  if (smaller.length === 0) return null;
  return smaller.map((size) => `${withQuery(url, `w=${size}&format=webp`)} ${size}w`).join(', ');
}

/** The URL of a private file has a query already. */
const withQuery = (url: string, query: string) => `${url}${url.includes('?') ? '&' : '?'}${query}`;

export function serializeFile(row: AssetRow, publicUrl: string): StoredAsset {
  const { thumbhash, unused_since } = row;
  const url = fileUrl(row, publicUrl);
  const poster = posterUrlOf(row, url);
  return {
    assetId: publicId('ast', row.id),
    url,
    type: row.type,
    name: row.name,
    width: row.width,
    height: row.height,
    mediaType: row.media_type,
    bytes: row.bytes,
    alt: row.alt,
    title: row.title,
    caption: row.caption,
    ...translationMembers(row),
    folderId: row.folder_id && publicId('fol', row.folder_id),
    private: row.signing_key !== null,
    focalPoint: focalPointOf(row),
    animated: row.animated,
    duration: row.duration_seconds,
    codec: row.codec,
    thumbhash: thumbhash?.toString('base64') ?? null,
    posterUrl: poster,
    placeholder: thumbhash && placeholderOf(thumbhash),
    poster,
    srcset: srcsetOf(row, url),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    unusedSince: unused_since && isoTime(unused_since),
    tags: row.tags,
    status: row.deleted_at === null ? 'active' : 'deleted',
  };
}

function fileUrl(row: AssetRow, publicUrl: string): string {
  return `${publicUrl}/files/${filePath(row)}${signedQuery(row)}`;
}

/** The part of a file's URL after `/files/`, without the signature of a private one. */
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
  const end = dot === -1 ? name.length : dot;
  const stem = name
    .slice(0, end)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
  const extension = name
    .slice(end)
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '');
  return `${stem || row.type}${extension}`;
}
