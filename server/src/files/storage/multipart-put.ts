import { type FileHandle, open } from 'node:fs/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { GrowingPut } from './storage.ts';

/** The smallest part that S3 takes, other than the last. */
export const PART_BYTES = 5 * 1_048_576;
/** S3 takes no more of one file: 49 GiB in the smallest parts. */
const MAX_PARTS = 10_000;
const CONCURRENT_PARTS = 2;
const MAX_BUFFERS = 8;

/** An upload that S3 has begun. */
export interface MultipartUpload {
  sendPart(number: number, body: Buffer): Promise<CompletedPart>;
  complete(parts: CompletedPart[]): Promise<void>;
  abort(): Promise<void>;
}

/** The size of the parts of a file, all but the last. */
export const partBytesOf = (size: number): number => Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));

/** The buffers that all uploads of a process share, so that any number of them takes bounded memory. */
export class PartBuffers {
  /** Of the smallest parts, which nearly all files have. */
  #free: Buffer[] = [];
  #inUse = 0;
  readonly #waiting: (() => void)[] = [];

  async use<T>(bytes: number, work: (buffer: Buffer) => Promise<T>): Promise<T> {
    if (this.#inUse === MAX_BUFFERS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inUse++;
    const buffer = (bytes === PART_BYTES ? this.#free.pop() : undefined) ?? Buffer.allocUnsafeSlow(bytes);
    try {
      return await work(buffer);
    } finally {
      if (bytes === PART_BYTES) this.#free.push(buffer);
      this.#leave();
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else if (--this.#inUse === 0) this.#free = [];
  }
}

/** Stores a file in parts, each as soon as it is written. */
export class MultipartPut implements GrowingPut {
  readonly #file: string;
  readonly #begin: () => Promise<MultipartUpload>;
  readonly #buffers: PartBuffers;
  readonly #partBytes: number;
  readonly #senders = new Set<Promise<void>>();
  readonly #parts: CompletedPart[] = [];
  #opened: Promise<{ handle: FileHandle; upload: MultipartUpload }> | undefined;
  #next = 0;
  #size = 0;
  #isWhole = false;
  #failure: unknown;

  constructor(file: string, buffers: PartBuffers, begin: () => Promise<MultipartUpload>, partBytes = PART_BYTES) {
    this.#file = file;
    this.#buffers = buffers;
    this.#begin = begin;
    this.#partBytes = partBytes;
  }

  grow(size: number): void {
    this.#size = size;
    while (this.#hasPart && this.#senders.size < CONCURRENT_PARTS) this.#startSender();
  }

  async finish(size: number): Promise<void> {
    this.#isWhole = true;
    do {
      this.grow(size);
      await Promise.all(this.#senders);
    } while (this.#hasPart);
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const { upload } = await this.#open();
      await upload.complete(this.#parts);
    } catch (error) {
      await this.cancel();
      throw error;
    }
    await this.#close();
  }

  async cancel(): Promise<void> {
    this.#failure ??= new Error('the upload was canceled');
    await Promise.all(this.#senders);
    const { upload } = (await this.#opened?.catch(() => undefined)) ?? {};
    await this.#close();
    await upload?.abort().catch(() => {});
  }

  get #hasPart(): boolean {
    const left = this.#size - this.#next * this.#partBytes;
    return this.#failure === undefined && (left >= this.#partBytes || (this.#isWhole && left > 0));
  }

  #startSender(): void {
    const sender = this.#sendParts()
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#senders.delete(sender));
    this.#senders.add(sender);
  }

  async #sendParts(): Promise<void> {
    while (this.#hasPart) {
      const part = this.#next++;
      const { handle, upload } = await this.#open();
      const start = part * this.#partBytes;
      this.#parts[part] = await this.#buffers.use(this.#partBytes, async (buffer) => {
        const length = Math.min(this.#partBytes, this.#size - start);
        const { bytesRead } = await handle.read(buffer, 0, length, start);
        if (bytesRead !== length) throw new Error('the file is shorter than expected');
        return upload.sendPart(part + 1, buffer.subarray(0, length));
      });
    }
  }

  #open() {
    this.#opened ??= (async () => {
      const handle = await open(this.#file);
      try {
        return { handle, upload: await this.#begin() };
      } catch (error) {
        await handle.close();
        throw error;
      }
    })();
    return this.#opened;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await (await opened?.catch(() => undefined))?.handle.close();
  }
}
