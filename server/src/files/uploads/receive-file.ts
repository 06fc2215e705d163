import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DETECT_BYTES,
  type DetectedType,
  detectType,
  emptyFile,
  tooLarge,
  unsupportedType,
} from '../../media/index.ts';
import type { Limits } from '../../shared/config.ts';
import { mediaTypeOf } from './file-name.ts';

/** What the client says of a file. */
export interface SentFile {
  name: string;
  mediaType: string;
}

export interface ReceivedFile {
  /** `file`: neither an image nor a video. */
  type: DetectedType | 'file';
  bytes: number;
  sha256: Buffer;
}

/** What may wait to be written; it is written at once, without copying. */
const BUFFERED_BYTES = 1_048_576;

/**
 * Streams a file to disk. Its type is detected from the first bytes, and that type's limit then applies,
 * so that a file is refused as early as possible.
 * @param sent what the client calls it: other content than it names is refused
 * @param onVideo called whenever more of a video is written, with its first bytes and the size so far
 * @throws ApiError 400 `file_type_unsupported`, `file_too_large`, `file_empty`; what `source` throws
 */
export async function receiveFile(
  source: Readable,
  path: string,
  limits: Limits,
  sent: SentFile,
  onVideo: (head: Buffer, bytes: number) => void,
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let written = 0;
  let type: ReceivedFile['type'] | undefined;

  function inspect(chunk: Buffer): void {
    bytes += chunk.length;
    if (type === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= DETECT_BYTES) type = typeOf(head, sent);
    }
    const limit = type === 'video' ? limits.videoBytes : type === 'file' ? limits.fileBytes : limits.imageBytes;
    if (type !== undefined && bytes > limit) throw tooLarge(type, limit);
    hash.update(chunk);
  }

  // It may fail before `pipeline` reads it: another process has finished the upload, or the client has disconnected.
  source.on('error', () => {});
  const file = await open(path, 'wx');
  try {
    const write = async (chunks: Buffer[]) => {
      let size = 0;
      for (const chunk of chunks) {
        inspect(chunk);
        size += chunk.length;
      }
      const { bytesWritten } = await file.writev(chunks);
      if (bytesWritten !== size) throw new Error(`only ${bytesWritten} of ${size} bytes were written`);
      for (const chunk of chunks) freeMemory(chunk);
      written += size;
      if (type === 'video') onVideo(head, written);
    };
    const disk = new Writable({
      highWaterMark: BUFFERED_BYTES,
      write: (chunk: Buffer, _encoding, done) => void write([chunk]).then(() => done(), done),
      writev: (waiting, done) => void write(waiting.map(({ chunk }) => chunk)).then(() => done(), done),
    });
    // `pipeline` would wait forever for such a stream.
    if (source.destroyed) throw source.errored ?? new Error('the stream was destroyed');
    await pipeline(source, disk);
  } finally {
    await file.close();
  }
  if (bytes === 0) throw emptyFile();
  return { type: type ?? typeOf(head, sent), bytes, sha256: hash.digest() };
}

/** The type by the content. An image or video that is none, or that no browser displays, is refused. */
function typeOf(head: Buffer, sent: SentFile): ReceivedFile['type'] {
  const type = detectType(head.subarray(0, DETECT_BYTES));
  if (type === undefined && isNamedMedia(sent)) throw unsupportedType();
  return type ?? 'file';
}

/** Whether the client calls it an image or a video. */
export function isNamedMedia({ name, mediaType }: SentFile): boolean {
  return [mediaType, mediaTypeOf(name)].some((each) => /^(?:image|video)\//i.test(each));
}

/**
 * Frees the memory of a chunk that has been written, if nothing else uses it. Left to the garbage collector, every 30 MB
 * received would cost a full collection (measured: a quarter of an upload's time, 40 collections for 1 GB).
 */
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
