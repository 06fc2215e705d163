import type { Readable, Writable } from 'node:stream';

/** Stores blobs, which never change under their key. A key of a file starts with its account. */
export interface Storage {
  /** A folder on this machine for files that are to be put. */
  readonly uploadsFolder: string;
  /** Stores a finished file durably. The file may be moved. */
  put(file: string, key: string, mediaType: string): Promise<void>;
  /** Begins to store a large file that is still being written, if the storage can. Nothing can be read before it is finished. */
  putGrowing?(file: string, key: string, mediaType: string): GrowingPut;
  /** Reads the bytes from `start` to `end`, both inclusive. @throws MissingBlob before anything is read */
  read(key: string, start: number, end: number): Promise<Readable | Buffer>;
  /** As `read`, for a response that the result is piped into. */
  readFor?(response: Writable, key: string, start: number, end: number): Promise<Readable | Buffer>;
  /** The size in bytes; undefined if there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** Deletes a blob, or what was written of it. Does nothing if there is none. */
  delete(key: string): Promise<void>;
  /** Every blob whose key starts with `prefix`, which ends with a slash (`exports/`). */
  list(prefix: string): AsyncIterable<StoredBlob>;
  /** The path of a blob, if the storage is a folder. */
  path?(key: string): string;
  /** A URL at which anybody can read the blob for an hour, if the storage supports it. */
  signedUrl?(key: string, headers: { contentType: string; contentDisposition: string }): Promise<string>;
}

export interface GrowingPut {
  /** So many bytes of the file are written. */
  grow(size: number): void;
  /** Stores the whole file durably. If that fails, nothing of it is left, or the storage cannot be reached. */
  finish(size: number): Promise<void>;
  cancel(): Promise<void>;
}

export interface StoredBlob {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

export class MissingBlob extends Error {}

/** The storage cannot be reached or has failed. That may pass. */
export class StorageUnavailable extends Error {}

export function assetKey(accountId: string, assetId: string): string {
  return `${accountId}/${assetId}`;
}
