import type { Readable } from 'node:stream';

/** Where the bytes of assets are kept. A key begins with its account; what it names never changes. */
export interface Storage {
  /** The folder on this machine in which uploads are written until they are put. */
  readonly uploadsFolder: string;
  /** Takes a finished file, which may be gone afterwards. Kept for good when it returns. */
  put(file: string, key: string, mediaType: string): Promise<void>;
  /** The bytes from `start` to `end`, both included. @throws MissingFile, before anything is read */
  read(key: string, start: number, end: number): Promise<Readable | Buffer>;
  /** How many bytes there are; undefined where there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Removes the file, or what was put of it. Does nothing where there is nothing. */
  delete(key: string): Promise<void>;
  /** Where the file lies, of a storage that is a folder. */
  path?(key: string): string;
  /** An address at which anybody can read the file for a while, of a storage that has such. */
  signedUrl?(key: string, headers: { contentType: string; contentDisposition: string }): Promise<string>;
}

/** There is no such file in the storage (any more). */
export class MissingFile extends Error {}

export function storageKey(accountId: string, assetId: string): string {
  return `${accountId}/${assetId}`;
}
