import { orientationExif } from './orientation-exif.ts';
import type { Piece, Read } from './pieces.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;

/** JPEG: segments, of which a scan is followed by its data, up to the end of the image; what some append is no part of it. */
export async function stripJpeg(read: Read, size: number, orientation: number): Promise<Piece[] | undefined> {
  const pieces: Piece[] = [{ start: 0, end: 2 }];
  if (orientation > 1) pieces.push(exifSegment(orientation));
  let at = 2;
  let scanned = false;
  while (at + 2 <= size) {
    const head = await read(at, 18);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff || marker === SOI) return undefined;
    if (marker === EOI) return [...pieces, { start: at, end: at + 2 }];
    // Any number of 0xff may fill up before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    let end = at + 2 + (head.length < 4 ? size : head.readUInt16BE(2));
    if (end > size) return undefined;
    const kept = isKept(marker, head);
    if (marker === SOS) {
      scanned = true;
      end = await endOfScan(read, end, size);
    }
    if (kept) pieces.push({ start: at, end });
    at = end;
  }
  // Without its end marker, as some cameras leave it: the decoder has the last word.
  return scanned ? pieces : undefined;
}

/** Of the application's segments those that say how the pixels are meant; no comments. */
function isKept(marker: number, head: Buffer): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  const name = head.toString('latin1', 4, 18);
  if (marker === 0xe0) return name.startsWith('JFIF\0');
  if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0');
  return marker === 0xee && name.startsWith('Adobe');
}

/** Where the next marker stands: within the data of a scan 0xff is followed by 0, or by the number of a restart. */
async function endOfScan(read: Read, from: number, size: number): Promise<number> {
  const CHUNK = 32_768;
  for (let at = from; at < size; at += CHUNK) {
    const chunk = await read(at, CHUNK + 1);
    for (let i = chunk.indexOf(0xff); i >= 0 && i < CHUNK && i + 1 < chunk.length; i = chunk.indexOf(0xff, i + 1)) {
      const next = chunk[i + 1] ?? 0;
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + i;
    }
  }
  return size;
}

function exifSegment(orientation: number): Buffer {
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([head, exif]);
}
