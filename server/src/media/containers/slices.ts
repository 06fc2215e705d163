import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A part of a rewritten file: a range of the source (`end` is exclusive), or new bytes. */
export type Slice = Buffer | { start: number; end: number };

/** Reads at a position. Returns fewer bytes at the end of the file; the result is valid until the next call. */
export type Read = (position: number, length: number) => Promise<Buffer>;

const WINDOW_BYTES = 65_536;
const COPY_BYTES = 1_048_576;

/** Reads through a buffer, which suits many small reads close together. */
export function bufferedReader(handle: FileHandle): Read {
  const buffer = Buffer.alloc(WINDOW_BYTES);
  let start = 0;
  let available = 0;
  return async (position, length) => {
    if (length > WINDOW_BYTES) {
      const large = Buffer.alloc(length);
      return large.subarray(0, (await handle.read(large, 0, length, position)).bytesRead);
    }
    if (position < start || position + length > start + available) {
      start = position;
      available = (await handle.read(buffer, 0, buffer.length, position)).bytesRead;
    }
    return buffer.subarray(position - start, Math.min(position - start + length, available));
  };
}

/** Appends a range of the source. It extends an adjacent range, so that a file of a million chunks stays a short list. */
export function keepRange(slices: Slice[], start: number, end: number): void {
  const last = slices.at(-1);
  if (last && !Buffer.isBuffer(last) && last.end === start) last.end = end;
  else if (end > start) slices.push({ start, end });
}

/** Writes the slices of `from` to a new file. */
export async function writeSlices(
  from: FileHandle,
  to: string,
  slices: Slice[],
): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const out = await open(to, 'wx');
  try {
    const write = async (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      await out.writeFile(chunk);
    };
    const buffer = Buffer.alloc(COPY_BYTES);
    for (const slice of slices) {
      if (Buffer.isBuffer(slice)) {
        await write(slice);
        continue;
      }
      for (let at = slice.start; at < slice.end; ) {
        const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, slice.end - at), at);
        if (bytesRead === 0) throw new Error('the file became shorter while it was copied');
        await write(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    }
  } finally {
    await out.close();
  }
  return { bytes, sha256: hash.digest() };
}
