import { decodeThumbhash, readImage } from '../images/read-image.ts';
import { sharp } from '../images/sharp.ts';
import type { MediaInfo } from '../media-info.ts';
import type { StillImage } from './cover.ts';

const MAX_SIDE = 1280;
const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 10;

/** What the poster of a video depends on. */
export type VideoShape = Pick<MediaInfo, 'mediaType' | 'width' | 'height' | 'durationSeconds'>;

export interface Poster {
  path: string;
  width: number;
  height: number;
  thumbhash: Uint8Array | null;
}

/** Writes a still image as WebP, shaped as the video is displayed. @returns undefined if it cannot be decoded */
export async function writePoster(
  { bytes, rotation }: StillImage,
  video: VideoShape,
  path: string,
): Promise<Poster | undefined> {
  const scale = Math.min(1, MAX_SIDE / Math.max(video.width, video.height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT_SECONDS });
    // A cover keeps its own shape; a frame takes the video's, which may be rotated or have non-square pixels.
    const shaped =
      rotation === undefined
        ? image.autoOrient().resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
        : image.rotate(rotation).resize(side(video.width), side(video.height), { fit: 'fill' });
    await shaped.webp({ quality: 80 }).toFile(path);
    const poster = await readImage(path, MAX_PIXELS);
    const thumbhash = await decodeThumbhash(path, poster, MAX_PIXELS);
    return { path, width: poster.width, height: poster.height, thumbhash };
  } catch {
    return undefined;
  }
}
