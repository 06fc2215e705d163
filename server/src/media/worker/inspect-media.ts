import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { DetectedType } from '../detect-type.ts';
import { completeJpeg, encodePixels } from '../images/complete-jpeg.ts';
import { decodeThumbhash, readImage } from '../images/read-image.ts';
import { stripMetadata } from '../images/strip-metadata.ts';
import { corruptFile } from '../media-errors.ts';
import type { MediaInfo } from '../media-info.ts';
import { readVideo } from '../videos/read-video.ts';
import { stripLocation } from '../videos/strip-location.ts';

export interface InspectRequest {
  path: string;
  type: DetectedType;
  maxPixels: number;
  keepMetadata: boolean;
}

/** A file that passed inspection. It may have been rewritten, in place or beside the original. */
export interface InspectedMedia extends MediaInfo {
  path: string;
  /** Of a rewritten file; undefined: unchanged. */
  rewritten: { bytes?: number; sha256: Uint8Array } | undefined;
  thumbhash: Uint8Array | null;
  /** Of an SVG: what cleaning left out. */
  removed?: string[];
  /** Of a video: whether a poster can be made without decoding video. */
  hasStillImage?: boolean;
}

/**
 * Checks a file by its format's parser, and removes what must not be served: metadata and unsafe SVG content.
 * @throws ApiError 400 if it is damaged, unsupported or over the limits
 */
export async function inspectMedia(request: InspectRequest): Promise<InspectedMedia> {
  switch (request.type) {
    case 'svg':
      return inspectSvg(request.path);
    case 'image':
      return inspectImage(request);
    case 'video':
      return inspectVideo(request);
  }
}

async function inspectImage({ path, maxPixels, keepMetadata }: InspectRequest): Promise<InspectedMedia> {
  const { orientation, hasMetadata, ...image } = await readImage(path, maxPixels);
  const isJpeg = image.mediaType === 'image/jpeg';
  const stripped = keepMetadata
    ? 'unchanged'
    : await stripMetadata(path, `${path}.stripped`, image.mediaType, orientation);
  if (isJpeg && stripped === 'malformed') return inspectEndlessJpeg(path, image, maxPixels);
  if (stripped === 'malformed' && hasMetadata) throw corruptFile();
  const rewritten = typeof stripped === 'object' ? stripped : undefined;
  const result = rewritten?.path ?? path;
  const thumbhash = decodeThumbhash(result, image, maxPixels).catch(async (error) => {
    if (!isJpeg) throw error;
    return decodeThumbhash(await completeJpeg(result, maxPixels), image, maxPixels);
  });
  return { ...image, path: result, rewritten, thumbhash: await thumbhash };
}

async function inspectEndlessJpeg(path: string, image: MediaInfo, maxPixels: number): Promise<InspectedMedia> {
  const bytes = await encodePixels(await completeJpeg(path, maxPixels), maxPixels);
  const clean = `${path}.pixels`;
  await writeFile(clean, bytes, { flag: 'wx' });
  const rewritten = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() };
  return { ...image, path: clean, rewritten, thumbhash: await decodeThumbhash(bytes, image, maxPixels) };
}

async function inspectVideo({ path, keepMetadata }: InspectRequest): Promise<InspectedMedia> {
  const video = await readVideo(path);
  const isStripped = !keepMetadata && video.mediaType !== 'video/webm' && (await stripLocation(path));
  return { ...video, path, rewritten: isStripped ? { sha256: await digest(path) } : undefined, thumbhash: null };
}

async function inspectSvg(path: string): Promise<InspectedMedia> {
  // Most processes read no SVG, and its parser of styles takes 50 ms to load.
  const { cleanSvg } = await import('../svg/clean-svg.ts');
  const clean = `${path}.clean`;
  const { width, height, removed, ...rewritten } = await cleanSvg(path, clean);
  const info = { mediaType: 'image/svg+xml', width, height, durationSeconds: null, codec: null, animated: false };
  return { ...info, path: clean, rewritten, removed, thumbhash: null };
}

async function digest(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
