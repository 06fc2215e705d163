import { type Box, boxesIn } from './boxes.ts';
import type { Piece, Read } from './pieces.ts';

const MAX_META_BYTES = 16 * 1_048_576;
/** EXIF without an entry, behind the offset at which it begins. */
const NO_EXIF = Buffer.from('000000004d4d002a00000008000000000000', 'hex');
const NO_XMP = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');

/**
 * AVIF: metadata are items like the picture, found by their place in the file. They are written over where they are, with
 * others that say nothing: nothing else moves. (The orientation is no part of them: boxes of the picture have it.)
 */
export async function stripAvif(read: Read, size: number): Promise<Piece[] | undefined> {
  const top = await boxesIn(read, 0, size);
  const meta = top.find((box) => box.type === 'meta');
  if (!meta || meta.end - meta.start > MAX_META_BYTES) return undefined;
  const bytes = Buffer.from(await read(meta.start, meta.end - meta.start));
  const inner = await boxesIn(
    async (at, length) => bytes.subarray(at, at + length),
    meta.content - meta.start + 4,
    bytes.length,
  );
  const overwritten: { start: number; bytes: Buffer }[] = [];
  try {
    const items = metadataItems(bytes, inner);
    for (const { id, start, length } of extents(bytes, inner, meta.start)) {
      const isExif = items.get(id);
      if (isExif === undefined || length <= 0 || start + length > size) continue;
      const blank = Buffer.alloc(length, isExif ? 0 : 0x20);
      (isExif ? NO_EXIF : NO_XMP).copy(blank);
      overwritten.push({ start, bytes: blank });
    }
  } catch {
    // A count or a length led out of the box.
    return undefined;
  }
  for (const box of top.filter(({ type }) => type === 'uuid')) {
    const free = Buffer.alloc(box.end - box.start);
    free.writeUInt32BE(free.length, 0);
    free.write('free', 4, 'latin1');
    overwritten.push({ start: box.start, bytes: free });
  }
  overwritten.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, bytes: blank } of overwritten) {
    if (start < at) return undefined;
    pieces.push({ start: at, end: start }, blank);
    at = start + blank.length;
  }
  return [...pieces, { start: at, end: size }];
}

/** By the id of an item of metadata: whether it is EXIF; else it is XMP. */
function metadataItems(bytes: Buffer, boxes: Box[]): Map<number, boolean> {
  const items = new Map<number, boolean>();
  const iinf = boxes.find((box) => box.type === 'iinf');
  if (!iinf) return items;
  for (let at = iinf.content + ((bytes[iinf.content] ?? 0) === 0 ? 6 : 8); at + 16 <= iinf.end; ) {
    const version = bytes[at + 8] ?? 0;
    const id = version >= 3 ? bytes.readUInt32BE(at + 12) : bytes.readUInt16BE(at + 12);
    const type = at + (version >= 3 ? 18 : 16);
    const name = bytes.toString('latin1', type, type + 4);
    if (name === 'Exif' || name === 'mime') items.set(id, name === 'Exif');
    const length = bytes.readUInt32BE(at);
    if (length < 8) break;
    at += length;
  }
  return items;
}

/** Where the items lie in the file (ISO 14496-12, 8.11.3). */
function* extents(bytes: Buffer, boxes: Box[], metaStart: number) {
  const iloc = boxes.find((box) => box.type === 'iloc');
  if (!iloc) return;
  const idat = boxes.find((box) => box.type === 'idat');
  let at = iloc.content;
  const number = (size: number) => {
    if (size === 0) return 0;
    const value = size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const version = number(1);
  at += 3;
  const sizes = number(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const count = number(version < 2 ? 2 : 4);
  for (let i = 0; i < count; i++) {
    const id = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    at += 2;
    const base = number(baseSize);
    const parts = number(2);
    for (let part = 0; part < parts; part++) {
      number(indexSize);
      const offset = base + number(offsetSize);
      const length = number(lengthSize);
      if (method === 0) yield { id, start: offset, length };
      else if (method === 1 && idat) yield { id, start: metaStart + idat.content + offset, length };
    }
  }
}
