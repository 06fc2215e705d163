import type { Input } from 'mediabunny';

export const MAX_STILL_BYTES = 4 * 1_048_576;

/** An encoded image that represents a video. */
export interface StillImage {
  bytes: Uint8Array;
  /** Of a frame: how many degrees to rotate it, and then it is stretched to the video's size. A cover has neither. */
  rotation?: number;
}

/** Whether a key frame of the codec is also an image: VP8 is WebP, AV1 is AVIF. */
export function isImageCodec(codec: string | null): boolean {
  return codec === 'vp8' || codec === 'av1';
}

/** The cover embedded in a container. */
export async function coverOf(input: Input): Promise<StillImage | undefined> {
  const { images = [] } = await input.getMetadataTags().catch(() => ({ images: [] }));
  const image = images.find(({ kind }) => kind === 'coverFront') ?? images[0];
  return image && image.data.length <= MAX_STILL_BYTES ? { bytes: image.data } : undefined;
}
