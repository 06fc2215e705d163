import { keepRange, type Read, type Slice } from '../containers/slices.ts';
import { orientationExif } from './orientation-exif.ts';

const IMAGE_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'];
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** WebP: a RIFF of chunks; VP8X lists which optional ones there are. */
export async function stripWebp(read: Read, size: number, orientation: number): Promise<Slice[] | undefined> {
  const declared = 8 + (await read(0, 12)).readUInt32LE(4);
  if (declared > size + 1) return undefined;
  const slices: Slice[] = [];
  let isExtended = false;
  for (let at = 12; at + 8 <= Math.min(declared, size); ) {
    const head = await read(at, 18);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    // Chunks are padded to even lengths; the last padding byte of the file may be missing.
    const end = Math.min(at + 8 + length + (length & 1), size);
    if (at + 8 + length > size) return undefined;
    if (type === 'VP8X') {
      isExtended = true;
      const chunk = Buffer.from(head.subarray(0, end - at));
      chunk[8] = ((chunk[8] ?? 0) & ~HAS_XMP & ~HAS_EXIF) | (orientation > 1 ? HAS_EXIF : 0);
      if (chunk.equals(head.subarray(0, end - at))) keepRange(slices, at, end);
      else slices.push(chunk);
    } else if (IMAGE_CHUNKS.includes(type)) keepRange(slices, at, end);
    at = end;
  }
  if (isExtended && orientation > 1) slices.push(chunk('EXIF', orientationExif(orientation)));
  const lengths = slices.map((slice) => (Buffer.isBuffer(slice) ? slice.length : slice.end - slice.start));
  const length = lengths.reduce((sum, each) => sum + each, 4);
  if (length + 8 === declared && declared === size && !slices.some(Buffer.isBuffer)) return [{ start: 0, end: size }];
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  riff.writeUInt32LE(length, 4);
  return [riff, ...slices];
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
