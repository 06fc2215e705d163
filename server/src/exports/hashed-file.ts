import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A file written sequentially by blocking calls, for use in a worker thread. */
export class HashedFile {
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'w');
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    this.#bytes += bytes.length;
  }

  /** Flushes the file to disk and returns its size and digest. */
  sync() {
    fsyncSync(this.#fd);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  close(): void {
    closeSync(this.#fd);
  }
}
