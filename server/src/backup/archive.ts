import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { asIs, decryption, encryption, type Stage } from './encryption.ts';

/** Level 3 compresses rows to a seventh at 300 MB/s; the checksum detects damage in an archive that is not encrypted. */
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Writes an archive, a tar compressed with zstd and, with a recipient, encrypted by age. Memory is bounded. */
export class ArchiveWriter {
  readonly #pack = pack();
  readonly #written: Promise<void>;
  readonly #file: string;
  readonly #mtime: Date;
  /** Why nothing more can be written. */
  #failure: { error: unknown } | undefined;
  /** Ends the entry that is being written. */
  #onFailure: (error: unknown) => void = () => {};

  constructor(file: string, recipient: string | undefined, createdAt: Date) {
    this.#file = file;
    this.#mtime = createdAt;
    this.#written = pipeline(
      // By bytes: in the default mode of `from` 16 chunks of any size may wait.
      Readable.from(this.#pack, { objectMode: false }),
      createZstdCompress(COMPRESSION),
      recipient === undefined ? asIs : encryption(recipient),
      createWriteStream(file, { mode: 0o600 }),
    );
    this.#written.catch((error) => {
      this.#failure = { error };
      this.#pack.destroy();
      this.#onFailure(error);
    });
  }

  add(name: string, content: Buffer | string): Promise<void> {
    const bytes = Buffer.from(content);
    return this.addStream(name, bytes.length, [bytes]);
  }

  /** Adds an entry of exactly `size` bytes. */
  async addStream(
    name: string,
    size: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    await new Promise<void>((resolve, reject) => {
      // Not by a race with the promise of the whole archive, which would keep the content of every entry.
      this.#onFailure = reject;
      const entry = this.#pack.entry({ name, size, mtime: this.#mtime, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      );
      pipeline(Readable.from(content), entry as unknown as Writable).catch(reject);
    });
    this.#onFailure = () => {};
  }

  /** Flushes the archive to disk. */
  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
    const handle = await open(this.#file, 'r');
    await handle.sync().finally(() => handle.close());
  }

  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
  }
}

export interface ArchiveEntry {
  name: string;
  size: number;
  /** Must be read to its end before the next entry. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * Reads the entries of an archive in order.
 * @throws if the archive is damaged or truncated
 */
export async function* readArchive(source: Readable, identity: string | undefined): AsyncGenerator<ArchiveEntry> {
  const entries = extract();
  const read = pipeline(
    source,
    identity === undefined ? asIs : decryption(identity),
    createZstdDecompress(),
    entries as unknown as Writable,
  );
  read.catch((error: Error) => entries.destroy(error));
  const contentOf = async function* (entry: AsyncIterable<Buffer>) {
    try {
      yield* entry;
    } catch (error) {
      entries.destroy(error as Error);
      // Why the archive ends, of which its entry only says that it was destroyed.
      await read;
      throw error;
    }
  };
  for await (const entry of entries) {
    yield {
      name: entry.header.name,
      size: entry.header.size ?? 0,
      content: contentOf(entry as AsyncIterable<Buffer>),
    };
  }
  await read;
}

/** Encrypts or decrypts one file into another. */
export async function transformFile(from: string, to: string, stage: Stage): Promise<void> {
  await pipeline(createReadStream(from), stage, createWriteStream(to, { mode: 0o600 }));
}

/** Opens a local file for `readArchive`; an error to open it is thrown here. */
export async function openFile(path: string): Promise<Readable> {
  const stream = createReadStream(path, { highWaterMark: 1_048_576 });
  await once(stream, 'open');
  return stream;
}
