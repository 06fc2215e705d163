import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { FileDeps } from '../../src/files/file-deps.ts';
import { openStorage } from '../../src/files/storage/open-storage.ts';
import type { Storage } from '../../src/files/storage/storage.ts';
import { openTusStore } from '../../src/files/uploads/open-tus-store.ts';
import { cleanUpUploads } from '../../src/files/uploads/upload-folders.ts';
import { readConfig } from '../../src/shared/config.ts';
import { openDatabase } from '../../src/shared/postgres/database.ts';
import { embeddedConnection } from '../../src/shared/postgres/embedded.ts';

/** Beyond the lifetime of everything that is temporary. */
const LATER_MS = 25 * 3_600_000;
const UPLOADS = 'uploads/';

export interface Swept {
  /** The SHA-256 of each blob by its key. */
  blobs: Map<string, string>;
  /** Temporary files and folders. */
  temporary: string[];
}

/** Cleans up as the worker of a service with these settings does a day later. Returns what is left. */
export async function sweepFiles(env: Record<string, string> & { DATA_DIR: string }): Promise<Swept> {
  const config = readConfig(env);
  const storage = openStorage(config);
  const db = openDatabase(embeddedConnection(env.DATA_DIR), 4, () => {});
  const clock = () => Date.now() + LATER_MS;
  try {
    const deps: Partial<FileDeps> = { db, config, clock, storage };
    await cleanUpUploads(deps as FileDeps);
    await openTusStore(storage, clock, 0).deleteExpired();
  } finally {
    await db.close();
  }
  const blobs = new Map<string, string>();
  for await (const { key, bytes } of storage.list('')) {
    if (!key.startsWith(UPLOADS)) blobs.set(key, await digest(storage, key, bytes));
  }
  return { blobs, temporary: readdirSync(storage.uploadsFolder) };
}

async function digest(storage: Storage, key: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  const content = await storage.read(key, 0, bytes - 1);
  for await (const chunk of Buffer.isBuffer(content) ? Readable.from([content]) : content) hash.update(chunk);
  return hash.digest('hex');
}
