import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Limits } from '../shared/config.ts';
import { atMost } from './at-most.ts';
import type { Media } from './media.ts';
import { corruptFile, tooManyPixels, unsupportedType } from './refusals.ts';
import { isWholeFile } from './whole-file.ts';

// Nothing is opened twice, and a cache would keep files open that are gone.
sharp.cache(false);
// libvips reads much more than is accepted here, by parsers less looked after.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});

const MEDIA_TYPES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  av1: 'image/avif',
};

/**
 * An AVIF is decoded as a whole, in 18 bytes a pixel (measured: 12 s and 1.8 GB for 100 megapixels); above this size only
 * its structure is checked. The other formats take at most 5 bytes a pixel and 2.5 s for 100 megapixels.
 */
const AVIF_DECODED_PIXELS = 16_000_000;
const DECODE_SECONDS = 30;
const THUMB_SIDE = 100;

/** Decoding takes memory by the pixel: the images that arrive together do not take it together. */
const inTurn = atMost(2);

export interface Image extends Media {
  orientation: number;
  /** Whether it says more of itself than how it is shown. */
  hasMetadata: boolean;
}

/**
 * Reads an image's type and its size as shown.
 * @throws ApiError 400 `file_corrupt`, `too_many_pixels`, `file_type_unsupported`
 */
export async function readImage(path: string, limits: Limits): Promise<Image> {
  const header = await sharp(path, { limitInputPixels: false }).metadata().catch(refuseCorrupt);
  const { width, height, format, compression } = header;
  const mediaType = MEDIA_TYPES[format === 'heif' ? (compression ?? '') : format];
  if (mediaType === undefined) throw unsupportedType();
  if (width * height > limits.imagePixels) throw tooManyPixels(limits.imagePixels);
  if (mediaType === 'image/avif' && !(await isWholeFile(path))) throw corruptFile();
  return {
    mediaType,
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    durationSeconds: null,
    codec: null,
    animated: (header.pages ?? 1) > 1,
    orientation: header.orientation ?? 1,
    hasMetadata: Boolean(header.exif || header.xmp || header.iptc),
  };
}

/**
 * Decodes an image once, at a small scale, to see that it is whole.
 * @returns its thumbhash, unless it is too large to be decoded for that alone
 * @throws ApiError 400 `file_corrupt`
 */
export function decodeImage(path: string, image: Image, limits: Limits): Promise<Buffer | null> {
  if (image.mediaType === 'image/avif' && image.width * image.height > AVIF_DECODED_PIXELS)
    return Promise.resolve(null);
  return inTurn(() => decode(path, limits.imagePixels).catch(refuseCorrupt));
}

/** Row by row where the format allows it, with an error where pixels are missing; slight faults are forgiven, as browsers do. */
async function decode(path: string, limitInputPixels: number): Promise<Buffer> {
  const { data, info } = await sharp(path, { limitInputPixels, failOn: 'error', sequentialRead: true, ignoreIcc: true })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data));
}

function refuseCorrupt(cause: unknown): never {
  throw corruptFile(cause);
}
