import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A part of a file that stays as it is, from `start` to before `end`, or bytes that stand there instead. */
export type Piece = Buffer | { start: number; end: number };

/** Reads at a position; fewer bytes come where the file ends. What comes is good until the next call. */
export type Read = (position: number, length: number) => Promise<Buffer>;

const WINDOW_BYTES = 65_536;

/** Reads through a buffer, for what lies close together. */
export function windowOn(handle: FileHandle): Read {
  const buffer = Buffer.alloc(WINDOW_BYTES);
  let start = 0;
  let held = 0;
  return async (position, length) => {
    if (length > WINDOW_BYTES) {
      const large = Buffer.alloc(length);
      return large.subarray(0, (await handle.read(large, 0, length, position)).bytesRead);
    }
    if (position < start || position + length > start + held) {
      start = position;
      held = (await handle.read(buffer, 0, buffer.length, position)).bytesRead;
    }
    return buffer.subarray(position - start, Math.min(position - start + length, held));
  };
}

/** Pieces in order, those that follow each other put together. */
export function joined(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last && !Buffer.isBuffer(last) && !Buffer.isBuffer(piece) && last.end === piece.start) {
      out[out.length - 1] = { start: last.start, end: piece.end };
    } else out.push(piece);
  }
  return out;
}

/** Writes the pieces of `from` to a new file and flushes it. */
export async function writePieces(
  from: FileHandle,
  to: string,
  pieces: Piece[],
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
    const buffer = Buffer.alloc(1_048_576);
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) {
        await write(piece);
        continue;
      }
      for (let at = piece.start; at < piece.end; ) {
        const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, piece.end - at), at);
        if (bytesRead === 0) throw new Error('the file is shorter than it was');
        await write(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    }
    await out.sync();
  } finally {
    await out.close();
  }
  return { bytes, sha256: hash.digest() };
}
