import type { Readable } from 'node:stream';
import { badRequest } from './errors.ts';

export const PART_BYTES = 1_048_576;

/** The name of a file that was sent, as it is stored. */
export const storableName = (name: string, otherwise: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 255)
    .toWellFormed()
    .trim() || otherwise;

/** Splits a stream into parts and stores each, after checking that it is UTF-8. Returns the size and the start of the text. */
export async function storeParts(
  stream: Readable,
  maxBytes: number,
  store: (number: number, part: Buffer) => Promise<unknown>,
): Promise<{ bytes: number; head: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let chunks: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let number = 0;
  let head = '';
  const flush = async () => {
    const part = Buffer.concat(chunks, size);
    if (number === 0) refuseUtf16(part);
    const text = decode(decoder, part);
    if (number === 0) head = text;
    await store(number++, part);
    chunks = [];
    size = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw badRequest('file_too_large', `The file is too large. The limit is ${maxBytes / 1_048_576} MiB.`);
    }
    chunks.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await flush();
  }
  if (bytes === 0) throw badRequest('file_empty', 'The file is empty.');
  if (size > 0) await flush();
  decode(decoder);
  return { bytes, head };
}

function refuseUtf16(head: Buffer): void {
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) {
    throw badRequest('encoding_unsupported', 'The file is UTF-16. Save it as "CSV UTF-8" instead.');
  }
}

function decode(decoder: TextDecoder, part?: Buffer): string {
  try {
    if (part?.includes(0)) throw new Error('a zero byte');
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw badRequest('encoding_unsupported', 'The file is not UTF-8 text. Save it as "CSV UTF-8" instead.', cause);
  }
}
