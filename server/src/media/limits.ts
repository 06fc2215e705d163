/**
 * An AVIF is decoded as a whole and takes 18 bytes a pixel (measured: 12 s and 1.8 GB for 100 megapixels). Above this size
 * only its structure is checked, and it is served only as it is stored.
 */
export const AVIF_DECODED_PIXELS = 16_000_000;

const AVIF_BYTES_PER_PIXEL = 18;
/** The other formats take at most this much, and 2.5 s for 100 megapixels. */
export const BYTES_PER_PIXEL = 5;

/** What decoding images for variants may take together. The largest image accepted by default takes all of it. */
export const DECODED_BYTES_BUDGET = 500_000_000;

/** The memory that decoding an image takes. The frames of an animation are decoded together, up to the whole budget. */
export function decodedBytes(image: { mediaType: string; width: number; height: number; animated: boolean }): number {
  if (image.animated) return DECODED_BYTES_BUDGET;
  return image.width * image.height * (image.mediaType === 'image/avif' ? AVIF_BYTES_PER_PIXEL : BYTES_PER_PIXEL);
}
