import { isSystemError } from '../media-errors.ts';
import { type Sharp, sharp } from './sharp.ts';

const TIMEOUT_SECONDS = 25;
/** Of all frames of an animation together. A longer one is served as it is stored. */
const MAX_ANIMATED_PIXELS = 100_000_000;

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif';

export interface ResizeSpec {
  /** The size to scale to, from which `crop` is then cut. */
  width: number;
  height: number;
  crop: { left: number; top: number; width: number; height: number } | undefined;
  format: ImageFormat;
  quality: number | undefined;
  animated: boolean;
}

export interface ResizeRequest {
  source: string | Uint8Array;
  spec: ResizeSpec;
  to: string;
  maxPixels: number;
}

/** Effort favors speed: a client is waiting (measured: docs/performance.md). */
const ENCODERS: Record<ImageFormat, (image: Sharp, quality: number | undefined) => Sharp> = {
  jpeg: (image, quality = 80) => image.flatten({ background: '#fff' }).jpeg({ quality, progressive: true }),
  png: (image) => image.png({ compressionLevel: 7 }),
  webp: (image, quality = 75) => image.webp({ quality, effort: 2 }),
  avif: (image, quality = 50) => image.avif({ quality, effort: 2 }),
};

/**
 * Writes an image in another size or format. JPEG and WebP are decoded at a half, quarter or eighth where that suffices.
 * @returns undefined if this image cannot be had so: its animation is too long, or it takes too long
 */
export async function resizeImage({
  source,
  spec,
  to,
  maxPixels,
}: ResizeRequest): Promise<{ bytes: number } | undefined> {
  const { animated } = spec;
  if (animated && !(await isShortAnimation(source))) return undefined;
  const limitInputPixels = animated ? MAX_ANIMATED_PIXELS : maxPixels;
  let image = sharp(source, { limitInputPixels, animated, sequentialRead: true, failOn: 'none' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(spec.width, spec.height, { fit: 'fill', kernel: 'lanczos3' });
  if (spec.crop) image = image.extract(spec.crop);
  try {
    const { size } = await ENCODERS[spec.format](image, spec.quality).toFile(to);
    return { bytes: size };
  } catch (error) {
    if (isSystemError(error)) throw error;
    return undefined;
  }
}

async function isShortAnimation(source: string | Uint8Array): Promise<boolean> {
  const { width, height, pages = 1 } = await sharp(source, { limitInputPixels: false }).metadata();
  return width * height * pages <= MAX_ANIMATED_PIXELS;
}
