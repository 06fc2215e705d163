import type { IncomingHttpHeaders } from 'node:http';
import { type ByteRange, parseByteRange } from '../../shared/http/byte-range.ts';
import { matchesTag } from '../../shared/http/entity-tags.ts';
import type { AssetRow, FileType } from '../library/queries.ts';
import { servedName } from '../uploads/file-name.ts';

/** A representation of an asset: the file as stored, its poster, or a variant. */
export interface Deliverable {
  storageKey: string;
  bytes: number;
  mediaType: string;
  /** Changes with the content. */
  etag: string;
  /** Whether the URL will always return this content. */
  isImmutable: boolean;
  /** The request header that the choice depends on. */
  vary: string | undefined;
}

/** The headers of every response, with or without a body. */
export function deliveryHeaders(asset: AssetRow, deliverable: Deliverable): Record<string, string> {
  return {
    etag: deliverable.etag,
    'last-modified': asset.created_at.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control':
      asset.signing_key !== null
        ? 'private, max-age=3600'
        : deliverable.isImmutable
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600',
    'content-type': deliverable.mediaType,
    'content-disposition': contentDisposition(asset.type, servedName(asset.name, deliverable.mediaType)),
    // Opened directly, a file is displayed by the browser's own page, which needs these sources. No script runs.
    'content-security-policy':
      "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    ...(deliverable.vary !== undefined && { vary: deliverable.vary }),
  };
}

export function originalOf(asset: AssetRow): Deliverable {
  return {
    storageKey: asset.storage_key,
    bytes: asset.bytes,
    mediaType: asset.media_type,
    etag: `"${asset.sha256.toString('base64url').slice(0, 27)}"`,
    isImmutable: true,
    vary: undefined,
  };
}

/** The name in ASCII for old clients, and unchanged (RFC 6266, RFC 8187). */
function contentDisposition(type: FileType, name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${type === 'file' ? 'attachment' : 'inline'}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** Whether the client's copy is current (RFC 9110, 13.2.2). If-None-Match takes precedence. */
export function isNotModified(request: IncomingHttpHeaders, etag: string, createdAt: Date): boolean {
  const tags = request['if-none-match'];
  if (tags !== undefined) return matchesTag(tags, (tag) => tag === etag);
  const since = Date.parse(request['if-modified-since'] ?? '');
  return since >= wholeSeconds(createdAt);
}

/**
 * The requested range, `unsatisfiable` if it starts after the end, or undefined for the whole file: also for several ranges
 * and if If-Range names another version.
 */
export function requestedRange(
  request: IncomingHttpHeaders,
  bytes: number,
  etag: string,
  createdAt: Date,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = request['if-range']?.toString();
  if (condition !== undefined && condition !== etag && Date.parse(condition) !== wholeSeconds(createdAt))
    return undefined;
  return parseByteRange(request.range, bytes);
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
