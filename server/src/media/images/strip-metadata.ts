import { open } from 'node:fs/promises';
import { bufferedReader, type Read, type Slice, writeSlices } from '../containers/slices.ts';
import { stripAvif } from './strip-avif.ts';
import { stripGif } from './strip-gif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

/**
 * Returns which parts of an image to keep, in order: everything that affects how it is displayed, with its color profile
 * and orientation, but not where, when and by what it was made. undefined: the container is malformed.
 */
type Strip = (read: Read, size: number, orientation: number) => Promise<Slice[] | undefined>;

const STRIPS: Record<string, Strip> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/avif': stripAvif,
};

type Stripped = { path: string; bytes: number; sha256: Buffer } | 'unchanged' | 'malformed';

/** Writes an image without its metadata to `to`, unless it has none. The pixels stay identical. */
export async function stripMetadata(
  from: string,
  to: string,
  mediaType: string,
  orientation: number,
): Promise<Stripped> {
  const handle = await open(from);
  try {
    const { size } = await handle.stat();
    const slices = await STRIPS[mediaType]?.(bufferedReader(handle), size, orientation);
    if (slices === undefined) return 'malformed';
    const [first, ...others] = slices;
    const isWhole = first && others.length === 0 && !Buffer.isBuffer(first) && first.end - first.start === size;
    return isWhole ? 'unchanged' : { path: to, ...(await writeSlices(handle, to, slices)) };
  } finally {
    await handle.close();
  }
}
