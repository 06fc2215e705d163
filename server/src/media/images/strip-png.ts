import { crc32 } from 'node:zlib';
import { keepRange, type Read, type Slice } from '../containers/slices.ts';
import { orientationExif } from './orientation-exif.ts';

const METADATA_CHUNKS = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'];

/** PNG: a signature and chunks up to IEND. */
export async function stripPng(read: Read, size: number, orientation: number): Promise<Slice[] | undefined> {
  const slices: Slice[] = [];
  keepRange(slices, 0, 8);
  for (let at = 8; at + 12 <= size; ) {
    const head = await read(at, 8);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + head.readUInt32BE(0);
    if (end > size) return undefined;
    if (!METADATA_CHUNKS.includes(type)) keepRange(slices, at, end);
    if (type === 'IHDR' && orientation > 1) slices.push(chunk('eXIf', orientationExif(orientation)));
    if (type === 'IEND') return slices;
    at = end;
  }
  return undefined;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
