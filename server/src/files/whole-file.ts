import { open } from 'node:fs/promises';
import { type Read, windowOn } from './pieces.ts';

/**
 * Whether a container ends where its parts say that it does: one that was cut does not. Boxes (MP4, MOV, AVIF) and EBML
 * (WebM) both are lists of parts that begin with their length, so this reads little more than a header for each.
 */
export async function isWholeFile(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const read = windowOn(handle);
    const isEbml = (await read(0, 4)).toString('hex') === EBML;
    return await (isEbml ? isWholeEbml(read, size) : isWholeBoxes(read, size));
  } finally {
    await handle.close();
  }
}

async function isWholeBoxes(read: Read, size: number): Promise<boolean> {
  let position = 0;
  while (position < size) {
    const header = await read(position, 16);
    if (header.length < 8) return false;
    // What is no box after one that was: bytes that some cameras append. A cut does not look like this.
    if (!/^[\x20-\x7e\xa9]{4}$/.test(header.toString('latin1', 4, 8))) return position > 0;
    const short = header.readUInt32BE(0);
    // 0: to the end of the file. 1: the length is too large for this place and follows.
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

async function isWholeEbml(read: Read, size: number): Promise<boolean> {
  let position = 0;
  while (position < size) {
    const header = await read(position, 12);
    const idLength = Math.clz32(header[0] ?? 0) - 23;
    if (idLength > 4) return position > 0;
    const id = header.toString('hex', 0, idLength);
    const lengthLength = Math.clz32(header[idLength] ?? 0) - 23;
    if (header.length < idLength + lengthLength) return false;
    if (lengthLength > 8) return false;
    const length = vint(header.subarray(idLength, idLength + lengthLength));
    position += idLength + lengthLength;
    // A recording of which the end was not known when it began: what it holds is looked at instead.
    if (length !== undefined) position += length;
    else if (id !== SEGMENT && id !== CLUSTER) return false;
  }
  return position === size;
}

/** An EBML length, undefined for "unknown" (all bits set). */
function vint(bytes: Buffer): number | undefined {
  const bits = 7 * bytes.length;
  const value = BigInt.asUintN(bits, BigInt(`0x${bytes.toString('hex')}`));
  return value === (1n << BigInt(bits)) - 1n ? undefined : Number(value);
}
