import type { Limits } from '../shared/config.ts';
import { inspectFilm } from './inspect-film.ts';
import { inspectImage } from './inspect-image.ts';
import type { StoredFile } from './queries.ts';
import type { Received } from './receive-file.ts';

/** A file that can become an asset: what it is, and where it lies. */
export interface ExaminedFile extends Omit<StoredFile, 'storage_key' | 'poster_key'> {
  path: string;
  posterPath?: string;
}

/**
 * Reads what a received file is.
 * @throws ApiError 400 where it is not whole, or not of a kind that is taken
 */
export async function examineFile(path: string, received: Received, limits: Limits): Promise<ExaminedFile> {
  const { type, bytes, sha256 } = received;
  const media = type === 'image' ? await inspectImage(path, limits) : await inspectFilm(path);
  return {
    path,
    type,
    bytes,
    sha256,
    media_type: media.mediaType,
    width: media.width,
    height: media.height,
    duration_seconds: media.durationSeconds,
    codec: media.codec,
    animated: media.animated,
    thumbhash: null,
  };
}
