import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/utils';
import type { Clock } from '../../shared/time.ts';
import type { Storage } from '../storage/storage.ts';
import { BucketTusStore } from './bucket-tus-store.ts';
import { FolderTusStore } from './folder-tus-store.ts';

/** Uploads that are not complete are deleted this long after they were created. */
const EXPIRE_MS = 24 * 3_600_000;

/** What is stored of an upload besides its bytes. */
export interface UploadInfo {
  size: number;
  metadata: Record<string, string | null>;
  createdAt: number;
  /** Whether it became an asset; its bytes are deleted then. */
  done: boolean;
}

/**
 * Stores unfinished tus uploads where files are stored, so that every process can continue them. An id is
 * `<account>.<asset>`, as UUIDs: the account is part of every look-up.
 */
export interface TusStore extends DataStore {
  /** Reads a complete upload. */
  read(id: string): Readable;
  /** Deletes the bytes of an upload that became an asset. It is still reported as complete. */
  finish(id: string): Promise<void>;
}

export function openTusStore(storage: Storage, clock: Clock, expireMs = EXPIRE_MS): TusStore {
  if (storage.path) return new FolderTusStore(storage.uploadsFolder, expireMs, clock);
  return new BucketTusStore(storage, expireMs, clock);
}
