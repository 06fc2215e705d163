import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Config, ConfigError, checkStorageUrl } from '../../shared/config.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { openStorage } from './open-storage.ts';
import { type AssetBlob, countAssetBlobs, findBlobOwner, listAssetBlobs } from './queries.ts';
import type { Storage } from './storage.ts';

const PAGE_SIZE = 500;
const CONCURRENCY = 4;

export interface Migration {
  files: number;
  copied: number;
  bytes: number;
  /** Keys of assets whose blobs are missing. */
  missing: string[];
}

/**
 * Copies the files of all cells from one storage to another, and verifies the checksum of each. Blobs that are there with the right
 * size are skipped, so the migration can be interrupted and run again, and a second run copies what was uploaded during
 * the first. Nothing is deleted.
 * @param onProgress called after each file
 */
export async function migrateFiles(
  databases: Database[],
  config: Config,
  toUrl: string,
  onProgress: (done: number, total: number, bytes: number) => void,
): Promise<Migration> {
  checkStorageUrl('--to', toUrl);
  const from = openStorage(config);
  const to = openStorage({ ...config, storageUrl: toUrl });
  if (from.path?.('x') !== undefined && from.path('x') === to.path?.('x')) {
    throw new ConfigError('--to is the storage that is already in use');
  }
  let total = 0;
  for (const db of databases) total += (await countAssetBlobs(db))[0]?.count ?? 0;
  const result: Migration = { files: 0, copied: 0, bytes: 0, missing: [] };

  const copy = async (db: Database, blob: AssetBlob) => {
    const { account_id, storage_key: key } = blob;
    const size = await from.size(key);
    if (size === undefined) {
      // Deleted since it was listed, or lost.
      if ((await findBlobOwner(db, { account_id, key })).length > 0) result.missing.push(key);
    } else if ((await to.size(key)) !== size) {
      await copyBlob(from, to, blob, size);
      result.copied++;
      result.bytes += size;
    }
    result.files++;
    onProgress(result.files, Math.max(total, result.files), result.bytes);
  };

  for (const db of databases) await copyPages(db, (blob) => copy(db, blob));
  return result;
}

async function copyPages(db: Database, copy: (blob: AssetBlob) => Promise<void>): Promise<void> {
  for (let after = ''; ; ) {
    const page = await listAssetBlobs(db, { after, max: PAGE_SIZE });
    const queue = page.values();
    const copyAll = async () => {
      for (const blob of queue) await copy(blob);
    };
    // After a failure, the copies in progress are finished before the error is thrown.
    const copiers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, copyAll));
    for (const copier of copiers) if (copier.status === 'rejected') throw copier.reason;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = last.storage_key;
  }
}

async function copyBlob(from: Storage, to: Storage, blob: AssetBlob, size: number): Promise<void> {
  const { storage_key: key, media_type, sha256 } = blob;
  const folder = join(to.uploadsFolder, `${randomUUID()}.${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'file');
  try {
    const hash = createHash('sha256');
    const found = await from.read(key, 0, size - 1);
    const digest = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(Buffer.isBuffer(found) ? Readable.from([found]) : found, digest, createWriteStream(path));
    if (sha256 && !hash.digest().equals(sha256)) {
      throw new ConfigError(`${key} is damaged: its checksum differs from that of the upload`);
    }
    await to.put(path, key, media_type);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
