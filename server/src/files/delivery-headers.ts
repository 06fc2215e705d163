import type { IncomingHttpHeaders } from 'node:http';
import { servedName } from './file-name.ts';
import type { AssetRow } from './queries.ts';

/** What is sent of an asset: the file itself, or a picture made of it. */
export interface Sent {
  storageKey: string;
  bytes: number;
  mediaType: string;
  /** Changes with the bytes. */
  etag: string;
  /** Whether the address will stand for these bytes for ever. */
  isImmutable: boolean;
  /** What is sent depends on this header of the request. */
  vary: string | undefined;
}

/** What every answer for it says, whether bytes follow or not. */
export function deliveryHeaders(asset: AssetRow, sent: Sent): Record<string, string> {
  return {
    etag: sent.etag,
    'last-modified': asset.created_at.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': sent.isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    'content-type': sent.mediaType,
    'content-disposition': contentDisposition(servedName(asset.name, sent.mediaType)),
    'x-content-type-options': 'nosniff',
    // Opened by itself, a file is shown by a page of the browser's own, which needs these; nothing in it runs.
    'content-security-policy':
      "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    ...(sent.vary !== undefined && { vary: sent.vary }),
  };
}

/** The file as it is stored. */
export function wholeFile(asset: AssetRow): Sent {
  return {
    storageKey: asset.storage_key,
    bytes: asset.bytes,
    mediaType: asset.media_type,
    etag: `"${asset.sha256.toString('base64url').slice(0, 27)}"`,
    isImmutable: true,
    vary: undefined,
  };
}

/** RFC 6266: the name in ASCII for old clients, and as it is (RFC 8187). */
function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `inline; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** Whether the client has the file already (RFC 9110, 13.2.2): If-None-Match is the stronger word. */
export function isNotModified(request: IncomingHttpHeaders, etag: string, createdAt: Date): boolean {
  const tags = request['if-none-match'];
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(request['if-modified-since'] ?? '');
  return since >= wholeSeconds(createdAt);
}

export interface ByteRange {
  start: number;
  /** Included. */
  end: number;
}

/**
 * The one range that is asked for, `unsatisfiable` where it lies behind the end, or undefined: the whole file is wanted,
 * as it is for several ranges, for what is not a range of bytes, and where If-Range names another version.
 */
export function requestedRange(
  request: IncomingHttpHeaders,
  bytes: number,
  etag: string,
  createdAt: Date,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i.exec(request.range ?? '');
  if (!match) return undefined;
  const condition = request['if-range']?.toString();
  if (condition !== undefined && condition !== etag && Date.parse(condition) !== wholeSeconds(createdAt))
    return undefined;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    return suffix === '0' ? 'unsatisfiable' : { start: Math.max(0, bytes - Number(suffix)), end: bytes - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), bytes - 1) : bytes - 1;
  if (last && Number(last) < start) return undefined;
  return start < bytes ? { start, end } : 'unsatisfiable';
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
