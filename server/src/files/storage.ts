import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Config } from '../shared/config.ts';
import { openDiskStorage } from './disk-storage.ts';

/** Where the bytes of assets are kept. A key is `<account>/<asset>`; what it names never changes. */
export interface Storage {
  /** The folder on this machine in which uploads are written until they are put. */
  readonly uploadsFolder: string;
  /** Takes a finished file, which may be gone afterwards. On disk for good when it returns. */
  put(file: string, key: string): Promise<void>;
  /** The bytes from `start` to `end`, both included. @throws where there is no such file */
  read(key: string, start: number, end: number): Promise<Readable | Buffer>;
  /** Does nothing where there is no such file. */
  delete(key: string): Promise<void>;
}

/** The storage that STORAGE_URL names: a folder, by default `DATA_DIR/files`. */
export function openStorage({ storageUrl, dataDir }: Config): Storage {
  if (storageUrl === undefined) return openDiskStorage(join(dataDir, 'files'));
  return openDiskStorage(isAbsolute(storageUrl) ? storageUrl : fileURLToPath(storageUrl));
}

export function storageKey(accountId: string, assetId: string): string {
  return `${accountId}/${assetId}`;
}
