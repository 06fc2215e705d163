import { open } from 'node:fs/promises';
import { type Box, boxesIn } from './boxes.ts';
import { type Read, windowOn } from './pieces.ts';

const MAX_BYTES = 16 * 1_048_576;
/** The box in which Adobe's programs keep XMP. */
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';

/**
 * Takes the place at which an MP4 or MOV was filmed out of the file, where cameras and telephones write it: the boxes are
 * written over in place, so that nothing moves.
 * @returns whether anything was
 */
export async function stripFilmLocation(path: string): Promise<boolean> {
  const handle = await open(path, 'r+');
  try {
    const { size } = await handle.stat();
    const found = await locations(windowOn(handle), size);
    for (const { start, bytes } of found) await handle.write(bytes, 0, bytes.length, start);
    if (found.length > 0) await handle.sync();
    return found.length > 0;
  } finally {
    await handle.close();
  }
}

interface Overwrite {
  start: number;
  bytes: Buffer;
}

async function locations(read: Read, size: number): Promise<Overwrite[]> {
  const found: Overwrite[] = [];

  const inUserData = async (userData: Box) => {
    for (const box of await boxesIn(read, userData.content, userData.end)) {
      if (box.type === '\xa9xyz' || box.type === 'loci') found.push(...freed(box));
      if (box.type === 'meta') await inMeta(box);
    }
  };
  /** QuickTime's metadata: a list of names, and values by their number in it. */
  const inMeta = async (meta: Box) => {
    // In MP4 it has a version before its content, in MOV it has none.
    const head = await read(meta.content, 8);
    const isFull = head.toString('latin1', 4, 8) !== 'hdlr';
    const inner = await boxesIn(read, meta.content + (isFull ? 4 : 0), meta.end);
    const keys = inner.find((box) => box.type === 'keys');
    const list = inner.find((box) => box.type === 'ilst');
    if (!keys || !list) return;
    const names = await boxesIn(read, keys.content + 8, keys.end);
    const isLocation: boolean[] = [];
    for (const { content, end } of names) {
      const name = (await read(content, Math.min(end - content, 255))).toString('latin1');
      isLocation.push(/location|gps/i.test(name));
    }
    for (const item of await boxesIn(read, list.content, list.end)) {
      const index = Buffer.from(item.type, 'latin1').readUInt32BE(0);
      if (!isLocation[index - 1]) continue;
      for (const { type, content, end } of await boxesIn(read, item.content, item.end)) {
        const text = end - content - 8;
        if (type === 'data' && text > 0 && text <= MAX_BYTES) {
          found.push({ start: content + 8, bytes: Buffer.alloc(text, 0x20) });
        }
      }
    }
  };

  for (const box of await boxesIn(read, 0, size)) {
    if (box.type === 'uuid' && (await read(box.content, 16)).toString('hex') === XMP_UUID) found.push(...freed(box));
    if (box.type === 'meta') await inMeta(box);
    if (box.type !== 'moov') continue;
    for (const part of await boxesIn(read, box.content, box.end)) {
      if (part.type === 'udta') await inUserData(part);
      if (part.type === 'meta') await inMeta(part);
      if (part.type !== 'trak') continue;
      for (const inner of await boxesIn(read, part.content, part.end)) {
        if (inner.type === 'udta') await inUserData(inner);
        if (inner.type === 'meta') await inMeta(inner);
      }
    }
  }
  return found;
}

/** The box as one that players pass over, without what was in it. */
function freed({ start, content, end }: Box): Overwrite[] {
  return [
    { start: start + 4, bytes: Buffer.from('free', 'latin1') },
    { start: content, bytes: Buffer.alloc(Math.min(end - content, MAX_BYTES)) },
  ];
}
