import { type FileHandle, open } from 'node:fs/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { GrowingPut } from './storage.ts';

/** The smallest part that S3 takes, other than the last. */
export const PART_BYTES = 5 * 1_048_576;
const CONCURRENT_PARTS = 2;
const MAX_BUFFERS = 8;

/** An upload that S3 has begun. */
export interface MultipartUpload {
  sendPart(number: number, body: Buffer): Promise<CompletedPart>;
  complete(parts: CompletedPart[]): Promise<void>;
  abort(): Promise<void>;
}

/** The buffers that all uploads of a process share, so that any number of them takes bounded memory. */
export class PartBuffers {
  #free: Buffer[] = [];
  #inUse = 0;
  readonly #waiting: ((buffer: Buffer) => void)[] = [];

  async use<T>(work: (buffer: Buffer) => Promise<T>): Promise<T> {
    const buffer = await this.#take();
    try {
      return await work(buffer);
    } finally {
      this.#give(buffer);
    }
  }

  #take(): Promise<Buffer> | Buffer {
    if (this.#inUse === MAX_BUFFERS) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#inUse++;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  #give(buffer: Buffer): void {
    const next = this.#waiting.shift();
    if (next) {
      next(buffer);
    } else {
      this.#inUse--;
      if (this.#inUse === 0) this.#free = [];
      else this.#free.push(buffer);
    }
  }
}

/** Stores a file in parts, each as soon as it is written. */
export class MultipartPut implements GrowingPut {
  readonly #file: string;
  readonly #begin: () => Promise<MultipartUpload>;
  readonly #buffers: PartBuffers;
  readonly #senders = new Set<Promise<void>>();
  readonly #parts: CompletedPart[] = [];
  #opened: Promise<{ handle: FileHandle; upload: MultipartUpload }> | undefined;
  #next = 0;
  #size = 0;
  #isWhole = false;
  #failure: unknown;

  constructor(file: string, buffers: PartBuffers, begin: () => Promise<MultipartUpload>) {
    this.#file = file;
    this.#buffers = buffers;
    this.#begin = begin;
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
    const left = this.#size - this.#next * PART_BYTES;
    return this.#failure === undefined && (left >= PART_BYTES || (this.#isWhole && left > 0));
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
      this.#parts[part] = await this.#buffers.use(async (buffer) => {
        const length = Math.min(PART_BYTES, this.#size - part * PART_BYTES);
        const { bytesRead } = await handle.read(buffer, 0, length, part * PART_BYTES);
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
