import type { Clock } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import type { Storage } from '../storage/storage.ts';
import { BucketTusStore } from './bucket-tus-store.ts';
import { FolderTusStore } from './folder-tus-store.ts';
import type { TusStore } from './tus-store.ts';

/** Uploads that are not complete are deleted this long after they were created. */
const EXPIRE_MS = DAY;

export function openTusStore(storage: Storage, clock: Clock, expireMs = EXPIRE_MS): TusStore {
  if (storage.path) return new FolderTusStore(storage.uploadsFolder, expireMs, clock);
  return new BucketTusStore(storage, expireMs, clock);
}
