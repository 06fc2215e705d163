import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../shared/config.ts';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

/** The storage that STORAGE_URL names: a folder, by default `DATA_DIR/files`. */
export function openStorage({ storageUrl, dataDir }: Config): Storage {
  if (storageUrl === undefined) return openDiskStorage(join(dataDir, 'files'));
  return openDiskStorage(isAbsolute(storageUrl) ? storageUrl : fileURLToPath(storageUrl));
}
