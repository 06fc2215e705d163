import type { FileDeps } from '../file-deps.ts';
import type { StoredFile } from '../library/queries.ts';
import type { ReceivedFile } from './receive-file.ts';
import type { UploadBlob } from './upload-blob.ts';

/** A file that can become an asset. */
export interface InspectedFile extends Omit<StoredFile, 'storage_key' | 'poster_key'> {
  /** Stores its content. */
  blob: { readonly key: string; put(): Promise<void> };
}

/**
 * Inspects a received file and removes from it what must not be served. Rewritten files are placed beside it.
 * @throws ApiError 400 if it is damaged or unsupported; 429 if too many files of the account are waiting
 */
export async function inspectUpload(
  { media, config, clock }: FileDeps,
  accountId: string,
  path: string,
  received: ReceivedFile,
  blob: UploadBlob,
): Promise<InspectedFile> {
  const { limits, files } = config;
  const { type } = received;
  const request = { path, type, maxPixels: limits.imagePixels, keepMetadata: files.keepMetadata };
  const inspected = await media.inspect(accountId, request);
  const { rewritten } = inspected;
  return {
    blob: { key: blob.key, put: () => blob.put(inspected.path, inspected.mediaType, rewritten !== undefined) },
    type: type === 'video' ? 'video' : 'image',
    media_type: inspected.mediaType,
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
