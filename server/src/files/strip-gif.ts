import type { Piece, Read } from './pieces.ts';

/** Application extensions that say how it is shown: how often it repeats, and its colour profile. */
const KEPT = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];

/** GIF: a header, then extensions and images, each of sub-blocks, up to the trailer. */
export async function stripGif(read: Read, size: number): Promise<Piece[] | undefined> {
  const table = (packed: number) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0);
  let at = 13 + table((await read(10, 1))[0] ?? 0);
  const pieces: Piece[] = [{ start: 0, end: at }];
  while (at < size) {
    const head = await read(at, 14);
    const kind = head[0];
    let blocks: number;
    if (kind === 0x3b) return [...pieces, { start: at, end: at + 1 }];
    if (kind === 0x2c) blocks = at + 11 + table(head[9] ?? 0);
    else if (kind === 0x21) blocks = at + 2;
    else return undefined;
    const isComment = kind === 0x21 && head[1] === 0xfe;
    const isForeign = kind === 0x21 && head[1] === 0xff && !KEPT.includes(head.toString('latin1', 3, 14));
    const end = await endOfBlocks(read, blocks, size);
    if (end === undefined) return undefined;
    if (!isComment && !isForeign) pieces.push({ start: at, end });
    at = end;
  }
  // Without its trailer: the decoder has the last word.
  return pieces;
}

async function endOfBlocks(read: Read, from: number, size: number): Promise<number | undefined> {
  for (let at = from; at < size; ) {
    const length = (await read(at, 1))[0] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return undefined;
}
