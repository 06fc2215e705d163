import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { MissingBlob, openStorage, type Storage } from '../files/index.ts';
import { ConfigError, checkStorageUrl } from '../shared/config.ts';
import { DAY } from '../shared/units.ts';
import { readAll } from './read-all.ts';

const NAME = /^headwater-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.tar\.zst(\.age)?$/;

export interface StoredBackup {
  /** The name of its archive: `headwater-20261122T030000000Z.tar.zst`. */
  name: string;
  createdAt: Date;
  /** Of the archive, without files. */
  bytes: number;
  isEncrypted: boolean;
}

/**
 * Backups in a folder or bucket: an archive for each, and their files by content, each once however many backups contain it.
 *
 * - `backups/<name>`: the archive, with the rows of the database and the index of files
 * - `backups/<name>.files`: the blobs that the backup needs, for retention, which cannot decrypt the index
 * - `files/<2 digits>/<digest>`: the blobs
 */
export interface Repository {
  storage: Storage;
  /** Newest first. */
  list(): Promise<StoredBackup[]>;
  /** Runs `work` with a folder for files that are to be put. */
  withSpool<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

/** @param target `s3://bucket/prefix?…` or the absolute path of a folder */
export function openRepository(target: string, dataDir: string): Repository {
  checkStorageUrl('the backup location', target);
  const storageUrl = target.startsWith('/') ? pathToFileURL(target).href : target;
  const storage = openStorage({ storageUrl, dataDir: join(dataDir, 'backup') });
  return {
    storage,
    async list() {
      const found: StoredBackup[] = [];
      for await (const { key, bytes } of storage.list('backups/')) {
        const name = key.slice('backups/'.length);
        const createdAt = backupTime(name);
        if (createdAt) found.push({ name, createdAt, bytes, isEncrypted: name.endsWith('.age') });
      }
      return found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
    async withSpool(work) {
      await mkdir(storage.uploadsFolder, { recursive: true, mode: 0o700 });
      await deleteAbandoned(storage.uploadsFolder);
      const folder = await mkdtemp(join(storage.uploadsFolder, 'spool-'));
      try {
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

export function backupName(createdAt: Date, isEncrypted: boolean): string {
  const time = createdAt.toISOString().replace(/[-:.]/g, '');
  return `headwater-${time}.tar.zst${isEncrypted ? '.age' : ''}`;
}

function backupTime(name: string): Date | undefined {
  const match = NAME.exec(name);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, ms] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

export function blobKey(name: string): string {
  return `files/${name.slice(0, 2)}/${name}`;
}

/** @throws ConfigError if there is none of this name, or none at all */
export async function findBackup(repository: Repository, name: string | undefined): Promise<StoredBackup> {
  const backups = await repository.list();
  const found = name === undefined ? backups[0] : backups.find((each) => each.name === name);
  if (found) return found;
  throw new ConfigError(name === undefined ? 'there is no backup at this location' : `there is no backup "${name}"`);
}

/** Where the result of the last check of a backup is stored. */
export const checkKey = (name: string): string => `backups/${name}.check.json`;

export async function putJson({ withSpool, storage }: Repository, key: string, value: object): Promise<void> {
  await withSpool(async (folder) => {
    await writeFile(join(folder, 'json'), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await storage.put(join(folder, 'json'), key, 'application/json');
  });
}

export async function readJson<T>(storage: Storage, key: string): Promise<T | undefined> {
  for (;;) {
    const bytes = await storage.size(key);
    if (bytes === undefined) return undefined;
    try {
      return JSON.parse((await readAll(await readBlob(storage, key, bytes))).toString('utf8')) as T;
    } catch (error) {
      // Deleted by retention since.
      if (error instanceof MissingBlob) return undefined;
      // Replaced since by a longer or shorter one.
      if ((await storage.size(key)) === bytes) throw error;
    }
  }
}

export async function readBlob(storage: Storage, key: string, bytes: number): Promise<Readable> {
  if (bytes === 0) return Readable.from([]);
  const found = await storage.read(key, 0, bytes - 1);
  return Buffer.isBuffer(found) ? Readable.from([found]) : found;
}

/**
 * Deletes all but the newest `keep` backups, and the blobs that no backup needs any more.
 * @param now blobs younger than a day are kept, since another backup may be about to need them
 */
export async function applyRetention(
  { storage, list }: Repository,
  keep: number,
  now: number,
): Promise<{ backups: number; blobs: number }> {
  const backups = await list();
  const expired = backups.slice(keep);
  if (expired.length === 0) return { backups: 0, blobs: 0 };
  const lists = backups.slice(0, keep).map(({ name }) => `backups/${name}.files`);
  for await (const { key } of storage.list('continuous/')) if (key.endsWith('.files')) lists.push(key);
  const needed = new Set<string>();
  for (const key of lists) for (const blob of await readNames(storage, key)) needed.add(blob);
  for (const { name } of expired) {
    await storage.delete(`backups/${name}`);
    await storage.delete(`backups/${name}.files`);
    await storage.delete(checkKey(name));
  }
  let blobs = 0;
  for await (const { key, modifiedAt } of storage.list('files/')) {
    if (needed.has(key.split('/').at(-1) ?? '') || now - modifiedAt.getTime() < DAY) continue;
    await storage.delete(key);
    blobs++;
  }
  return { backups: expired.length, blobs };
}

/** @throws if the list is missing: without it, files that are needed would be deleted */
export async function readNames(storage: Storage, key: string): Promise<string[]> {
  const bytes = await storage.size(key);
  if (bytes === undefined) throw new Error(`the backup location has no ${key}`);
  const names: string[] = [];
  let rest = '';
  for await (const chunk of await readBlob(storage, key, bytes)) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    names.push(...lines);
  }
  return names;
}

async function deleteAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && name.startsWith('spool-') && Date.now() - found.mtimeMs > DAY) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
