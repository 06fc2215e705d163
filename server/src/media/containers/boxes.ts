import type { Read } from './slices.ts';

/** A box of the ISO base media format (MP4, MOV, AVIF). The content follows the header. */
export interface Box {
  type: string;
  start: number;
  content: number;
  end: number;
}

const MAX_BOXES = 100_000;

/** Lists the sibling boxes between `start` and `end`, up to the first malformed one. */
export async function boxesIn(read: Read, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end && boxes.length < MAX_BOXES; ) {
    const head = await read(at, 16);
    if (head.length < 8) break;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const length = short === 0 ? end - at : isLong ? Number(head.readBigUInt64BE(8)) : short;
    const content = at + (isLong ? 16 : 8);
    if (length < content - at || at + length > end) break;
    boxes.push({ type: head.toString('latin1', 4, 8), start: at, content, end: at + length });
    at += length;
  }
  return boxes;
}
