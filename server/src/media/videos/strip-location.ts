import { open } from 'node:fs/promises';
import { writeAll } from '../../shared/write-all.ts';
import { type Box, boxesIn } from '../containers/boxes.ts';
import { bufferedReader, type Read } from '../containers/slices.ts';

const MAX_BYTES = 16 * 1_048_576;
/** The box that holds XMP written by Adobe's programs. */
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';

/**
 * Removes the recording location that cameras and phones write into an MP4 or MOV. The boxes are overwritten in place, so
 * no offset changes.
 * @returns whether there was any
 */
export async function stripLocation(path: string): Promise<boolean> {
  const handle = await open(path, 'r+');
  try {
    const { size } = await handle.stat();
    const found = await findLocations(bufferedReader(handle), size);
    for (const { start, bytes } of found) await writeAll(handle, bytes, start);
    return found.length > 0;
  } finally {
    await handle.close();
  }
}

interface Overwrite {
  start: number;
  bytes: Buffer;
}

async function findLocations(read: Read, size: number): Promise<Overwrite[]> {
  const found: Overwrite[] = [];

  const scanUserData = async (userData: Box) => {
    for (const box of await boxesIn(read, userData.content, userData.end)) {
      if (box.type === '\xa9xyz' || box.type === 'loci') found.push(...blanked(box));
      if (box.type === 'meta') await scanMeta(box);
    }
  };
  /** QuickTime metadata: a list of key names, and values by the index of their key. */
  const scanMeta = async (meta: Box) => {
    // MP4 has a version before the content, MOV does not.
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
    if (box.type === 'uuid' && (await read(box.content, 16)).toString('hex') === XMP_UUID) found.push(...blanked(box));
    if (box.type === 'meta') await scanMeta(box);
    if (box.type !== 'moov') continue;
    for (const part of await boxesIn(read, box.content, box.end)) {
      if (part.type === 'udta') await scanUserData(part);
      if (part.type === 'meta') await scanMeta(part);
      if (part.type !== 'trak') continue;
      for (const inner of await boxesIn(read, part.content, part.end)) {
        if (inner.type === 'udta') await scanUserData(inner);
        if (inner.type === 'meta') await scanMeta(inner);
      }
    }
  }
  return found;
}

/** Turns the box into a blank `free` box, which players skip. */
function blanked({ start, content, end }: Box): Overwrite[] {
  return [
    { start: start + 4, bytes: Buffer.from('free', 'latin1') },
    { start: content, bytes: Buffer.alloc(Math.min(end - content, MAX_BYTES)) },
  ];
}
