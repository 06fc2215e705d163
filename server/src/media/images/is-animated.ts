import { open } from 'node:fs/promises';
import { bufferedReader, type Read } from '../containers/slices.ts';

/** Whether browsers show an image as an animation. @param pages what the decoder counts: it sees neither frames of PNG nor of AVIF */
export async function isAnimated(path: string, mediaType: string, pages: number): Promise<boolean> {
  if (mediaType !== 'image/png' && mediaType !== 'image/avif') return pages > 1;
  const handle = await open(path);
  try {
    const read = bufferedReader(handle);
    return await (mediaType === 'image/png' ? hasFrames(read) : hasSequenceBrand(read));
  } finally {
    await handle.close();
  }
}

/** APNG: a chunk before the image data says how many frames follow. */
async function hasFrames(read: Read): Promise<boolean> {
  for (let at = 8; ; ) {
    const head = await read(at, 12);
    const type = head.toString('latin1', 4, 8);
    if (type === 'acTL') return head.length === 12 && head.readUInt32BE(8) > 1;
    if (head.length < 12 || type === 'IDAT') return false;
    at += 12 + head.readUInt32BE(0);
  }
}

async function hasSequenceBrand(read: Read): Promise<boolean> {
  const length = (await read(0, 4)).readUInt32BE(0);
  const brands = await read(8, Math.min(Math.max(0, length - 8), 256));
  return brands.toString('latin1').match(/.{4}/gs)?.includes('avis') ?? false;
}
