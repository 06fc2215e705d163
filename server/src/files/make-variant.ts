import sharp, { type Sharp } from 'sharp';
import type { PictureFormat, VariantSpec } from './variant-spec.ts';

const WITHIN_SECONDS = 25;
/** Frames of an animation, all together. One that has more is shown by its first. */
const ANIMATED_PIXELS = 200_000_000;

/** Effort is for speed: of a picture made while somebody waits (measured: docs/performance.md). */
const ENCODERS: Record<PictureFormat, (picture: Sharp, quality: number | undefined) => Sharp> = {
  jpeg: (picture, quality = 80) => picture.flatten({ background: '#fff' }).jpeg({ quality, progressive: true }),
  png: (picture) => picture.png({ compressionLevel: 7 }),
  webp: (picture, quality = 75) => picture.webp({ quality, effort: 2 }),
  avif: (picture, quality = 50) => picture.avif({ quality, effort: 2 }),
};

/** Makes a variant of a picture. JPEG and WebP are decoded at a half, quarter or eighth of their size where that is enough. */
export async function makeVariant(
  source: string | Buffer,
  spec: VariantSpec,
  limitInputPixels: number,
): Promise<Buffer> {
  const animated = spec.animated && (await isShortAnimation(source));
  const options = { limitInputPixels: animated ? ANIMATED_PIXELS : limitInputPixels, animated, sequentialRead: true };
  let picture = sharp(source, { ...options, failOn: 'none' })
    .timeout({ seconds: WITHIN_SECONDS })
    .autoOrient()
    .resize(spec.width, spec.height, { fit: 'fill', kernel: 'lanczos3' });
  if (spec.crop) picture = picture.extract(spec.crop);
  return ENCODERS[spec.format](picture, spec.quality).toBuffer();
}

async function isShortAnimation(source: string | Buffer): Promise<boolean> {
  const { width, height, pages = 1 } = await sharp(source, { limitInputPixels: false }).metadata();
  return width * height * pages <= ANIMATED_PIXELS;
}
