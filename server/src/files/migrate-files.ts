import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../shared/config.ts';
import { ConfigError, checkStorageUrl } from '../shared/config.ts';
import type { Database } from '../shared/postgres/database.ts';
import { atMost } from './at-most.ts';
import { openStorage } from './open-storage.ts';
import { countStored, findStored, isStored, type StoredKey } from './queries.ts';
import type { Storage } from './storage.ts';

const PAGE = 500;
const AT_ONCE = 4;

export interface Migration {
  files: number;
  copied: number;
  bytes: number;
  /** Keys of assets whose bytes are not there. */
  missing: string[];
}

/**
 * Copies every file from one storage to the other. What is there in its size is not copied again, so that it can be
 * broken off anywhere and be run again; what is copied is held against the checksum that its upload had. The service may
 * run meanwhile: a second run takes what came during the first. Nothing is deleted.
 * @param report told how much is done, after each file
 */
export async function migrateFiles(
  db: Database,
  config: Config,
  toUrl: string,
  report: (done: number, all: number, bytes: number) => void,
): Promise<Migration> {
  checkStorageUrl('--to', toUrl);
  const from = openStorage(config);
  const to = openStorage({ ...config, storageUrl: toUrl });
  if (from.path?.('x') !== undefined && from.path('x') === to.path?.('x')) {
    throw new ConfigError('--to is where the files are already');
  }
  const [{ count } = { count: 0 }] = await countStored(db);
  const inTurn = atMost(AT_ONCE);
  const result: Migration = { files: 0, copied: 0, bytes: 0, missing: [] };

  const copy = async (file: StoredKey) => {
    const size = await from.size(file.storage_key);
    if (size === undefined) {
      // Deleted since it was listed, or lost.
      if ((await isStored(db, file.account_id, file.storage_key)).length > 0) result.missing.push(file.storage_key);
    } else if ((await to.size(file.storage_key)) !== size) {
      await copyFile(from, to, file, size);
      result.copied++;
      result.bytes += size;
    }
    result.files++;
    report(result.files, Math.max(count, result.files), result.bytes);
  };

  for (let after = ''; ; ) {
    const page = await findStored(db, after, PAGE);
    // Those under way come to their end, whatever became of one.
    const copies = await Promise.allSettled(page.map((file) => inTurn(() => copy(file))));
    for (const each of copies) if (each.status === 'rejected') throw each.reason;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return result;
    after = last.storage_key;
  }
}

async function copyFile(from: Storage, to: Storage, file: StoredKey, size: number): Promise<void> {
  await mkdir(to.uploadsFolder, { recursive: true });
  const folder = join(to.uploadsFolder, `${randomUUID()}.${randomUUID()}`);
  await mkdir(folder);
  const path = join(folder, 'file');
  try {
    const hash = createHash('sha256');
    const found = await from.read(file.storage_key, 0, size - 1);
    const source = Buffer.isBuffer(found) ? Readable.from([found]) : found;
    const digest = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(source, digest, createWriteStream(path));
    const handle = await open(path);
    await handle.sync().finally(() => handle.close());
    if (file.sha256 && !hash.digest().equals(file.sha256)) {
      throw new ConfigError(`${file.storage_key} is not what was uploaded: its checksum is another`);
    }
    await to.put(path, file.storage_key, file.media_type);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
