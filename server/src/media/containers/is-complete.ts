import { open } from 'node:fs/promises';
import { bufferedReader, type Read } from './slices.ts';

/**
 * Whether a container ends where its elements say, which a truncated one does not. ISO boxes (MP4, MOV, AVIF) and EBML
 * (WebM) are lists of length-prefixed elements, so this reads little more than the header of each.
 */
export async function isComplete(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const read = bufferedReader(handle);
    const isEbml = (await read(0, 4)).toString('hex') === EBML;
    return await (isEbml ? isCompleteEbml(read, size) : areCompleteBoxes(read, size));
  } finally {
    await handle.close();
  }
}

/** Whether it is an AVIF, by the file type box of all its kind, and complete. */
export async function isCompleteAvif(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const read = bufferedReader(handle);
    return (await read(4, 4)).toString('latin1') === 'ftyp' && (await areCompleteBoxes(read, size));
  } finally {
    await handle.close();
  }
}

async function areCompleteBoxes(read: Read, size: number): Promise<boolean> {
  let position = 0;
  while (position < size) {
    const header = await read(position, 16);
    // Some files are padded to even or round lengths.
    if (header.length < 8) return position > 0 && header.every((byte) => byte === 0);
    // Some cameras append other bytes after the last box. Truncation does not look like this.
    if (!/^[\x20-\x7e\xa9]{4}$/.test(header.toString('latin1', 4, 8))) return position > 0;
    const short = header.readUInt32BE(0);
    // 0 means up to the end of the file; 1 means that a 64-bit length follows.
    if (short === 0) return true;
    const length = short === 1 && header.length === 16 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    position += length;
  }
  return position === size;
}

const EBML = '1a45dfa3';
const SEGMENT = '18538067';
const CLUSTER = '1f43b675';

async function isCompleteEbml(read: Read, size: number): Promise<boolean> {
  let position = 0;
  while (position < size) {
    const header = await read(position, 12);
    const idLength = Math.clz32(header[0] ?? 0) - 23;
    if (idLength > 4) return position > 0;
    const id = header.toString('hex', 0, idLength);
    const lengthLength = Math.clz32(header[idLength] ?? 0) - 23;
    if (lengthLength > 8 || header.length < idLength + lengthLength) return false;
    const length = readLength(header.subarray(idLength, idLength + lengthLength));
    position += idLength + lengthLength;
    // A live recording has elements of unknown length: their children are checked instead.
    if (length !== undefined) position += length;
    else if (id !== SEGMENT && id !== CLUSTER) return false;
  }
  return position === size;
}

/** Decodes an EBML length; undefined means "unknown" (all bits set). */
function readLength(bytes: Buffer): number | undefined {
  const bits = 7 * bytes.length;
  const value = BigInt.asUintN(bits, BigInt(`0x${bytes.toString('hex')}`));
  return value === (1n << BigInt(bits)) - 1n ? undefined : Number(value);
}
