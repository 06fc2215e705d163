import { rgbaToThumbHash } from 'thumbhash';
import { isComplete, isCompleteAvif } from '../containers/is-complete.ts';
import { AVIF_DECODED_PIXELS } from '../limits.ts';
import { corruptFile, isSystemError, tooManyPixels, unsupportedType } from '../media-errors.ts';
import type { MediaInfo } from '../media-info.ts';
import { isAnimated } from './is-animated.ts';
import { sharp } from './sharp.ts';

const MEDIA_TYPES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  av1: 'image/avif',
};

const DECODE_SECONDS = 25;
const THUMBNAIL_SIDE = 100;

interface ImageInfo extends MediaInfo {
  orientation: number;
  /** Whether it carries EXIF, XMP or IPTC. */
  hasMetadata: boolean;
}

/**
 * Reads an image's type and displayed size from its header.
 * @throws ApiError 400 `file_corrupt`, `too_many_pixels`, `file_type_unsupported`
 */
export async function readImage(path: string, maxPixels: number): Promise<ImageInfo> {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(async (error: Error) => {
      const isUnread = error.message.includes('unsupported image format');
      if (isUnread && (await isCompleteAvif(path))) {
        throw unsupportedType(error, 'The AVIF is of a kind that is not supported, such as one without a still image.');
      }
      return refuse(error);
    });
  const { width, height, format, compression } = header;
  const mediaType = MEDIA_TYPES[format === 'heif' ? (compression ?? '') : format];
  if (mediaType === undefined) throw unsupportedType();
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  if (mediaType === 'image/avif' && !(await isComplete(path))) throw corruptFile();
  return {
    mediaType,
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    durationSeconds: null,
    codec: null,
    animated: await isAnimated(path, mediaType, header.pages ?? 1),
    orientation: header.orientation ?? 1,
    hasMetadata: Boolean(header.exif || header.xmp || header.iptc),
  };
}

/**
 * Decodes an image at a small scale, which verifies that it is complete. Pixels that are missing are an error; slight
 * defects are tolerated, as browsers do.
 * @returns its thumbhash, or null if it is too large to decode
 * @throws ApiError 400 `file_corrupt`
 */
export async function decodeThumbhash(
  source: string | Buffer,
  image: MediaInfo,
  maxPixels: number,
): Promise<Buffer | null> {
  if (image.mediaType === 'image/avif' && image.width * image.height > AVIF_DECODED_PIXELS) return null;
  const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, ignoreIcc: true } as const;
  const { data, info } = await sharp(source, options)
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data));
}

/** What the decoders say of files that are whole, and that browsers do not show either. */
const UNSUPPORTED = /Unsupported JPEG|Unsupported marker|unhandled critical chunk|data precision/i;

function refuse(error: Error): never {
  if (isSystemError(error)) throw error;
  if (UNSUPPORTED.test(error.message)) {
    throw unsupportedType(error, 'The image uses a rare variant of its format, which is not supported. Save it again.');
  }
  throw corruptFile(error);
}
