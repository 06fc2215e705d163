import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../shared/config.ts';
import { cleanSvg } from './clean-svg.ts';
import { inspectFilm } from './inspect-film.ts';
import { decodeImage, readImage } from './inspect-image.ts';
import type { Media } from './media.ts';
import { writePoster } from './poster.ts';
import type { StoredFile } from './queries.ts';
import type { Received } from './receive-file.ts';
import { corruptFile } from './refusals.ts';
import { stripFilmLocation } from './strip-film.ts';
import { stripMetadata } from './strip-metadata.ts';

/** A file that can become an asset: what it is, and where it lies. */
export interface ExaminedFile extends Omit<StoredFile, 'storage_key' | 'poster_key'> {
  path: string;
  posterPath?: string;
}

type Settings = Pick<Config, 'limits' | 'files'>;

/**
 * Reads what a received file is, and takes out of it what is not to be served. What comes of it may lie beside it.
 * @throws ApiError 400 where it is not whole, or not of a kind that is taken
 */
export async function examineFile(path: string, received: Received, settings: Settings): Promise<ExaminedFile> {
  switch (received.kind) {
    case 'svg':
      return examineSvg(path);
    case 'image':
      return examineImage(path, received, settings);
    case 'video':
      return examineFilm(path, received, settings);
  }
}

async function examineImage(path: string, received: Received, { limits, files }: Settings): Promise<ExaminedFile> {
  const image = await readImage(path, limits);
  let file = { path, bytes: received.bytes, sha256: received.sha256 };
  if (!files.keepMetadata) {
    const stripped = await stripMetadata(path, `${path}.stripped`, image.mediaType, image.orientation);
    if (stripped === 'malformed' && image.hasMetadata) throw corruptFile();
    if (typeof stripped === 'object') file = stripped;
  }
  const thumbhash = await decodeImage(file.path, image, limits);
  return { ...file, type: 'image', ...columns(image), thumbhash };
}

async function examineFilm(path: string, received: Received, { limits, files }: Settings): Promise<ExaminedFile> {
  const film = await inspectFilm(path);
  let { sha256 } = received;
  if (!files.keepMetadata && film.mediaType !== 'video/webm' && (await stripFilmLocation(path)))
    sha256 = await digest(path);
  const posterPath = `${path}.poster`;
  const hasPoster = await writePoster(path, posterPath, film, film.picture);
  const poster = hasPoster ? await readImage(posterPath, limits) : undefined;
  return {
    path,
    type: 'video',
    bytes: received.bytes,
    sha256,
    ...columns(film),
    thumbhash: poster ? await decodeImage(posterPath, poster, limits) : null,
    ...(poster && { posterPath, poster_width: poster.width, poster_height: poster.height }),
  };
}

async function examineSvg(path: string): Promise<ExaminedFile> {
  const cleanPath = `${path}.clean`;
  const { width, height, ...file } = await cleanSvg(path, cleanPath);
  const media = { mediaType: 'image/svg+xml', width, height, durationSeconds: null, codec: null, animated: false };
  return { path: cleanPath, type: 'image', ...file, ...columns(media), thumbhash: null };
}

function columns({ mediaType, width, height, durationSeconds, codec, animated }: Media) {
  const noPoster = { poster_width: null, poster_height: null };
  return { media_type: mediaType, width, height, duration_seconds: durationSeconds, codec, animated, ...noPoster };
}

async function digest(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
