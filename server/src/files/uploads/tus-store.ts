import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/utils';

/** What is stored of an upload besides its bytes. */
export interface UploadInfo {
  /** Missing as long as the client has not said it. */
  size?: number | undefined;
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
  /** The ids of the uploads of an account that are not complete. */
  unfinished(accountId: string): Promise<string[]>;
  /** Reads a complete upload. */
  read(id: string): Readable;
  /** Deletes the bytes of an upload that became an asset. It is still reported as complete. */
  finish(id: string): Promise<void>;
}
