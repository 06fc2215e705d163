import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A file that is written from start to end, by calls that block: for a thread of its own. */
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

  /** Puts it on disk, and tells its size and digest. */
  sync() {
    fsyncSync(this.#fd);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  close(): void {
    closeSync(this.#fd);
  }
}
