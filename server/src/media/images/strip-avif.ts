import { type Box, boxesIn } from '../containers/boxes.ts';
import { keepRange, type Read, type Slice } from '../containers/slices.ts';

const MAX_META_BYTES = 16 * 1_048_576;
/** EXIF without entries, after the 4-byte offset of its start. */
const EMPTY_EXIF = Buffer.from('000000004d4d002a00000008000000000000', 'hex');
const EMPTY_XMP = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');

/**
 * AVIF stores metadata as items, like the image itself, located by file offset. They are overwritten in place with empty
 * ones, so no offset changes. The orientation is a property of the image and stays.
 */
export async function stripAvif(read: Read, size: number): Promise<Slice[] | undefined> {
  const top = await boxesIn(read, 0, size);
  const meta = top.find((box) => box.type === 'meta');
  if (!meta || meta.end - meta.start > MAX_META_BYTES) return undefined;
  const bytes = Buffer.from(await read(meta.start, meta.end - meta.start));
  const readMeta: Read = async (at, length) => bytes.subarray(at, at + length);
  const inner = await boxesIn(readMeta, meta.content - meta.start + 4, bytes.length);
  const overwrites: { start: number; bytes: Buffer }[] = [];
  try {
    const items = metadataItems(bytes, inner);
    for (const { id, start, length } of itemExtents(bytes, inner, meta.start)) {
      const type = items.get(id);
      if (type === undefined || length <= 0 || start + length > size) continue;
      const blank = Buffer.alloc(length, type === 'exif' ? 0 : 0x20);
      (type === 'exif' ? EMPTY_EXIF : EMPTY_XMP).copy(blank);
      overwrites.push({ start, bytes: blank });
    }
  } catch {
    // A count or a length points outside the box.
    return undefined;
  }
  for (const box of top.filter(({ type }) => type === 'uuid')) {
    const free = Buffer.alloc(box.end - box.start);
    free.writeUInt32BE(free.length, 0);
    free.write('free', 4, 'latin1');
    overwrites.push({ start: box.start, bytes: free });
  }
  overwrites.sort((a, b) => a.start - b.start);
  const slices: Slice[] = [];
  let at = 0;
  for (const overwrite of overwrites) {
    if (overwrite.start < at) return undefined;
    keepRange(slices, at, overwrite.start);
    slices.push(overwrite.bytes);
    at = overwrite.start + overwrite.bytes.length;
  }
  keepRange(slices, at, size);
  return slices;
}

/** The metadata items by id. */
function metadataItems(bytes: Buffer, boxes: Box[]): Map<number, 'exif' | 'xmp'> {
  const items = new Map<number, 'exif' | 'xmp'>();
  const iinf = boxes.find((box) => box.type === 'iinf');
  if (!iinf) return items;
  for (let at = iinf.content + ((bytes[iinf.content] ?? 0) === 0 ? 6 : 8); at + 16 <= iinf.end; ) {
    const version = bytes[at + 8] ?? 0;
    const id = version >= 3 ? bytes.readUInt32BE(at + 12) : bytes.readUInt16BE(at + 12);
    const type = at + (version >= 3 ? 18 : 16);
    const name = bytes.toString('latin1', type, type + 4);
    if (name === 'Exif' || name === 'mime') items.set(id, name === 'Exif' ? 'exif' : 'xmp');
    const length = bytes.readUInt32BE(at);
    if (length < 8) break;
    at += length;
  }
  return items;
}

/** Where the items are in the file (ISO 14496-12, 8.11.3). */
function* itemExtents(bytes: Buffer, boxes: Box[], metaStart: number) {
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
    const extents = number(2);
    // Billions of extents without a size fit into a few bytes.
    if (offsetSize + lengthSize + indexSize === 0) continue;
    for (let extent = 0; extent < extents; extent++) {
      number(indexSize);
      const offset = base + number(offsetSize);
      const length = number(lengthSize);
      if (method === 0) yield { id, start: offset, length };
      else if (method === 1 && idat) yield { id, start: metaStart + idat.content + offset, length };
    }
  }
}
