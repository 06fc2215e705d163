import { open } from 'node:fs/promises';
import { joined, type Piece, type Read, windowOn, writePieces } from './pieces.ts';
import { stripAvif } from './strip-avif.ts';
import { stripGif } from './strip-gif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

/**
 * Tells which pieces of a picture stay, in order. All that shows it stays, with its colour profile and its orientation;
 * what tells of where, when and by what it was made goes. undefined: it is not built as its kind says.
 */
type Strip = (read: Read, size: number, orientation: number) => Promise<Piece[] | undefined>;

const STRIPS: Record<string, Strip> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/avif': stripAvif,
};

export type Stripped = { path: string; bytes: number; sha256: Buffer } | 'as it was' | 'malformed';

/** Writes a picture without its metadata to `to`, where it has any. Not a pixel is other than it was. */
export async function stripMetadata(
  from: string,
  to: string,
  mediaType: string,
  orientation: number,
): Promise<Stripped> {
  const handle = await open(from);
  try {
    const { size } = await handle.stat();
    const pieces = await STRIPS[mediaType]?.(windowOn(handle), size, orientation);
    if (pieces === undefined) return 'malformed';
    const [whole, ...others] = joined(pieces);
    if (whole && others.length === 0 && !Buffer.isBuffer(whole) && whole.end - whole.start === size) return 'as it was';
    return { path: to, ...(await writePieces(handle, to, joined(pieces))) };
  } finally {
    await handle.close();
  }
}
