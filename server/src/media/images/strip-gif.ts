import { keepRange, type Read, type Slice } from '../containers/slices.ts';

/** Application extensions that affect how the image is displayed: the repeat count and the color profile. */
const DISPLAY_EXTENSIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];

/** GIF: a header, then extensions and images made of sub-blocks, then a trailer. */
export async function stripGif(read: Read, size: number): Promise<Slice[] | undefined> {
  const colorTable = (packed: number) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0);
  let at = 13 + colorTable((await read(10, 1))[0] ?? 0);
  const slices: Slice[] = [];
  keepRange(slices, 0, at);
  while (at < size) {
    const head = await read(at, 14);
    const type = head[0];
    if (type === 0x3b) {
      keepRange(slices, at, at + 1);
      return slices;
    }
    if (type !== 0x2c && type !== 0x21) return undefined;
    const blocks = type === 0x2c ? at + 11 + colorTable(head[9] ?? 0) : at + 2;
    const isComment = type === 0x21 && head[1] === 0xfe;
    const isForeign = type === 0x21 && head[1] === 0xff && !DISPLAY_EXTENSIONS.includes(head.toString('latin1', 3, 14));
    const end = await endOfBlocks(read, blocks, size);
    if (end === undefined) return undefined;
    if (!isComment && !isForeign) keepRange(slices, at, end);
    at = end;
  }
  // The trailer is missing: the decoder decides.
  return slices;
}

async function endOfBlocks(read: Read, from: number, size: number): Promise<number | undefined> {
  for (let at = from; at < size; ) {
    const length = (await read(at, 1))[0] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return undefined;
}
