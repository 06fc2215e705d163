import { ApiError } from '../../shared/errors.ts';
import type { FileDeps } from '../file-deps.ts';
import type { StoredFile } from '../library/queries.ts';
import { mediaTypeOf } from './file-name.ts';
import { isNamedMedia, type ReceivedFile, type SentFile } from './receive-file.ts';
import type { UploadBlob } from './upload-blob.ts';

/** A file that can become an asset. */
export interface InspectedFile extends Omit<StoredFile, 'storage_key' | 'poster_key'> {
  /** Stores its content. */
  blob: { readonly key: string; put(): Promise<void> };
  /** Of an SVG: what cleaning left out. */
  removed?: string[] | undefined;
}

/**
 * Inspects a received file and removes from it what must not be served. Rewritten files are placed beside it.
 * @throws ApiError 400 if it is damaged or unsupported; 429 if too many files of the account are waiting
 */
export async function inspectUpload(
  { media, config, clock }: FileDeps,
  accountId: string,
  path: string,
  received: ReceivedFile & SentFile,
  blob: UploadBlob,
): Promise<InspectedFile> {
  const { limits, files } = config;
  const { type } = received;
  if (type === 'file') return otherFile(path, received, blob);
  const request = { path, type, maxPixels: limits.imagePixels, keepMetadata: files.keepMetadata };
  const inspected = await media.inspect(accountId, request).catch((error: unknown) => {
    // For example a sound in a container for videos.
    const isOther = isUnsupported(error) && !isNamedMedia(received) && received.bytes <= limits.fileBytes;
    if (!isOther) throw error;
    return undefined;
  });
  if (!inspected) return otherFile(path, received, blob);
  const { rewritten } = inspected;
  return {
    blob: { key: blob.key, put: () => blob.put(inspected.path, inspected.mediaType, rewritten !== undefined) },
    type: type === 'video' ? 'video' : 'image',
    media_type: inspected.mediaType,
    removed: inspected.removed,
    bytes: rewritten?.bytes ?? received.bytes,
    sha256: rewritten ? Buffer.from(rewritten.sha256) : received.sha256,
    width: inspected.width,
    height: inspected.height,
    duration_seconds: inspected.durationSeconds,
    codec: inspected.codec,
    animated: inspected.animated,
    thumbhash: inspected.thumbhash && Buffer.from(inspected.thumbhash),
    poster_width: null,
    poster_height: null,
    // A worker makes it: the client of an upload does not wait for it.
    poster_due: type === 'video' && media.canMakePoster(inspected) ? new Date(clock()) : null,
  };
}

function isUnsupported(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'file_type_unsupported';
}

/** A file that is neither an image nor a video is stored as it is. */
function otherFile(path: string, { name, bytes, sha256 }: ReceivedFile & SentFile, blob: UploadBlob): InspectedFile {
  const media_type = mediaTypeOf(name);
  return {
    blob: { key: blob.key, put: () => blob.put(path, media_type, false) },
    type: 'file',
    media_type,
    bytes,
    sha256,
    animated: false,
    ...{ width: null, height: null, duration_seconds: null, codec: null, thumbhash: null },
    ...{ poster_width: null, poster_height: null, poster_due: null },
  };
}
