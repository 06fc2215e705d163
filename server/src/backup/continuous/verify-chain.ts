import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Storage } from '../../files/index.ts';
import { readArchive } from '../archive.ts';
import { hashing } from '../copy-files.ts';
import { decryption } from '../encryption.ts';
import { blobKey, type Repository, readBlob, readNames } from '../repository.ts';
import { type Base, baseKey } from './chain.ts';
import { readSegment } from './log-reader.ts';
import { findRecovery } from './restore-to-time.ts';
import { parseSegment, startOf } from './segments.ts';

export interface ChainVerification {
  /** Whether the database can be restored with all files. */
  isValid: boolean;
  /** The database can be restored to any time from here … */
  from: string;
  /** … to here. */
  until: string;
  /** Of the service that copied the database. */
  version: string;
  segments: number;
  files: number;
  /** What is missing or damaged. */
  damaged: string[];
}

/**
 * Reads everything that a restore to a time reads: the copy of the cluster, the log since then, and all files.
 * @param to undefined: the newest state
 * @throws ConfigError if the time is in no chain
 */
export async function verifyChain(
  { storage, withSpool }: Repository,
  to: Date | undefined,
  identity: string | undefined,
): Promise<ChainVerification> {
  const { recovery, until } = await findRecovery(storage, to, identity);
  const { chain, base, baseName } = recovery;
  const damaged: string[] = [];
  /** Errors are results: everything else is read, too. */
  const check = async (what: string, read: () => Promise<boolean>) => {
    const isIntact = await read().catch(() => false);
    if (!isIntact) damaged.push(what);
  };
  const key = baseKey(chain.id, baseName, base.isEncrypted);
  await check(key, () => readBase(storage, key, base, recovery.identity));
  const segments = chain.segments.filter(({ name }) => name >= base.firstSegment);
  await withSpool(async (folder) => {
    const path = join(folder, 'segment');
    for (const segment of segments) {
      await check(segment.key, async () => {
        await readSegment(storage, segment.key, recovery.identity, path);
        return isSegment(path, segment.name);
      });
      await rm(path, { force: true });
    }
  });
  const blobs = new Set<string>();
  for (const list of chain.blobLists) {
    if (basename(list, '.files') < baseName) continue;
    for (const name of await readNames(storage, list)) blobs.add(name);
  }
  for (const name of blobs) await check(blobKey(name), () => readFile(storage, name, recovery.identity));
  return {
    isValid: damaged.length === 0,
    from: base.finishedAt,
    until: until.toISOString(),
    version: base.version,
    segments: segments.length,
    files: blobs.size,
    damaged,
  };
}

async function readBase(
  storage: Storage,
  key: string,
  { bytes }: Base,
  identity: string | undefined,
): Promise<boolean> {
  const found = new Set<string>();
  for await (const { name, content } of readArchive(await readBlob(storage, key, bytes), identity)) {
    for await (const _ of content);
    found.add(name);
  }
  return found.has('backup_label') && found.has('cluster/global/pg_control');
}

/** Whether a file is the segment of this name: each starts with its position in the log. */
async function isSegment(path: string, name: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.readBigUInt64LE(8) === startOf(parseSegment(name)?.segment ?? -1n);
  } finally {
    await handle.close();
  }
}

/** The name of a file that is not encrypted is its digest; age authenticates the others. */
async function readFile(storage: Storage, name: string, identity: string | undefined): Promise<boolean> {
  const key = blobKey(name);
  const content = await readBlob(storage, key, (await storage.size(key)) ?? Number.NaN);
  const { stage, digest } = hashing();
  for await (const _ of stage(identity === undefined ? content : decryption(identity)(content)));
  return identity !== undefined || digest() === name;
}
