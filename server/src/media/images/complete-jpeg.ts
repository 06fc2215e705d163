import { readFile } from 'node:fs/promises';
import { corruptFile, isSystemError } from '../media-errors.ts';
import { sharp } from './sharp.ts';
import { endOfPixels } from './strip-jpeg.ts';

const END = Buffer.from([0xff, 0xd9]);

/**
 * A JPEG that lacks its end marker, with one. Browsers show it as long as all pixels are there.
 * @throws ApiError 400 `file_corrupt` if pixels are missing
 */
export async function completeJpeg(path: string, maxPixels: number): Promise<Buffer> {
  const bytes = await readFile(path);
  const end = await endOfPixels(async (at, length) => bytes.subarray(at, at + length), bytes.length);
  const completed = Buffer.concat([bytes.subarray(0, end), END]);
  await sharp(completed, { limitInputPixels: maxPixels, failOn: 'warning' })
    .stats()
    .catch((error: Error) => {
      if (isSystemError(error)) throw error;
      // Other data may follow the pixels.
      const isWhole = error.message.includes('extraneous bytes') && !error.message.includes('end of data segment');
      if (!isWhole) throw corruptFile(error);
    });
  return completed;
}

/**
 * Encodes only the pixels of such a JPEG. What follows them cannot be told from them without decoding: a camera may have
 * appended when it was made, or a video.
 * @throws ApiError 400 `file_corrupt`
 */
export function encodePixels(completed: Buffer, maxPixels: number): Promise<Buffer> {
  const options = { limitInputPixels: maxPixels, failOn: 'none' } as const;
  const image = sharp(completed, options).autoOrient().jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
  return image.toBuffer().catch((error) => {
    throw isSystemError(error) ? error : corruptFile(error);
  });
}
