import type { Limits } from '../shared/config.ts';
import { cleanSvg } from './clean-svg.ts';
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
 * Reads what a received file is, and takes out of it what is not to be served. What comes of it may lie beside it.
 * @throws ApiError 400 where it is not whole, or not of a kind that is taken
 */
export async function examineFile(path: string, received: Received, limits: Limits): Promise<ExaminedFile> {
  if (received.kind === 'svg') return examineSvg(path);
  const { kind, bytes, sha256 } = received;
  const media = kind === 'image' ? await inspectImage(path, limits) : await inspectFilm(path);
  return {
    path,
    type: kind,
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

async function examineSvg(path: string): Promise<ExaminedFile> {
  const cleanPath = `${path}.clean`;
  const clean = await cleanSvg(path, cleanPath);
  return {
    path: cleanPath,
    type: 'image',
    media_type: 'image/svg+xml',
    ...clean,
    duration_seconds: null,
    codec: null,
    animated: false,
    thumbhash: null,
  };
}
