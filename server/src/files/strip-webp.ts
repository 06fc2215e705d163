import { orientationExif } from './orientation-exif.ts';
import type { Piece, Read } from './pieces.ts';

const KEPT = ['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'];
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** WebP: a RIFF of chunks, in which VP8X says what else there is. */
export async function stripWebp(read: Read, size: number, orientation: number): Promise<Piece[] | undefined> {
  const all = 8 + (await read(0, 12)).readUInt32LE(4);
  if (all > size + 1) return undefined;
  const pieces: Piece[] = [];
  let isExtended = false;
  for (let at = 12; at + 8 <= Math.min(all, size); ) {
    const head = await read(at, 18);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    // Chunks are even; the last one of the file may lack its last byte.
    const end = Math.min(at + 8 + length + (length & 1), size);
    if (at + 8 + length > size) return undefined;
    if (type === 'VP8X') {
      isExtended = true;
      const chunk = Buffer.from(head.subarray(0, end - at));
      chunk[8] = ((chunk[8] ?? 0) & ~HAS_XMP & ~HAS_EXIF) | (orientation > 1 ? HAS_EXIF : 0);
      pieces.push(chunk.equals(head.subarray(0, end - at)) ? { start: at, end } : chunk);
    } else if (KEPT.includes(type)) pieces.push({ start: at, end });
    at = end;
  }
  if (isExtended && orientation > 1) pieces.push(chunk('EXIF', orientationExif(orientation)));
  const length = pieces.reduce(
    (sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start),
    4,
  );
  if (length + 8 === all && all === size && pieces.every((piece) => !Buffer.isBuffer(piece))) {
    return [{ start: 0, end: size }];
  }
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  riff.writeUInt32LE(length, 4);
  return [riff, ...pieces];
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
