import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes at a position: on a disk that is nearly full, one call can write a part of them without an error. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}
