import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const STORED = 0;
/** A report that is larger is an attack. */
const MAX_BYTES = 512 * 1_048_576;

/** The first file of a zip archive, found by the directory at its end. @throws Error for anything else */
export function unzipFirst(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('the file is not a zip archive');
  const entry = zip.readUInt32LE(end + 16);
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + size);
  return method === STORED ? data : inflateRawSync(data, { maxOutputLength: MAX_BYTES });
}
