import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Limits } from '../shared/config.ts';
import { emptyFile, svgUnsupported, tooLarge, unsupportedType } from './refusals.ts';
import { SNIFF_BYTES, sniff } from './sniff.ts';

export interface Received {
  type: 'image' | 'video';
  bytes: number;
  sha256: Buffer;
}

/** Chunks are gathered to this size before they are written, without being copied (writev). */
const WRITE_BYTES = 1_048_576;

/**
 * Streams a file to disk and flushes it there. Its type is told from its first bytes, and from then on its limit holds,
 * so that what will be refused is refused as early as it can be.
 * @throws ApiError 400 `file_type_unsupported`, `svg_unsupported`, `file_too_large`, `file_empty`; what `source` throws
 */
export async function receiveFile(source: Readable, path: string, limits: Limits): Promise<Received> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let type: Received['type'] | undefined;

  async function* inspect(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (type === undefined) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= SNIFF_BYTES) type = acceptedType(head);
      }
      if (type !== undefined && bytes > limitOf(type)) throw tooLarge(type, limitOf(type));
      hash.update(chunk);
      yield chunk;
    }
  }

  const limitOf = (known: Received['type']) => (known === 'image' ? limits.imageBytes : limits.videoBytes);

  await pipeline(source, inspect, createWriteStream(path, { flags: 'wx', flush: true, highWaterMark: WRITE_BYTES }));
  if (bytes === 0) throw emptyFile();
  return { type: type ?? acceptedType(head), bytes, sha256: hash.digest() };
}

function acceptedType(head: Buffer): Received['type'] {
  const type = sniff(head.subarray(0, SNIFF_BYTES));
  if (type === 'svg') throw svgUnsupported();
  if (type === undefined) throw unsupportedType();
  return type;
}
