import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDiskStorage } from './disk-storage.ts';
import { openS3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

/** Opens the storage of STORAGE_URL: a bucket or a folder, by default `DATA_DIR/files`. */
export function openStorage({ storageUrl, dataDir }: { storageUrl: string | undefined; dataDir: string }): Storage {
  if (storageUrl === undefined) return openDiskStorage(join(dataDir, 'files'));
  if (storageUrl.startsWith('s3://')) return openS3Storage(storageUrl, dataDir);
  return openDiskStorage(isAbsolute(storageUrl) ? storageUrl : fileURLToPath(storageUrl));
}
