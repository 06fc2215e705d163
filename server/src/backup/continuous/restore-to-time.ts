import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listAssetBlobs, openStorage, requeuePosters, type Storage } from '../../files/index.ts';
import { type Config, ConfigError } from '../../shared/config.ts';
import { createLog } from '../../shared/log.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { openStore } from '../../shared/postgres/open-store.ts';
import { giveUpLost, type Lost, readInstance } from '../../shared/secrets/instance.ts';
import type { MasterKeys } from '../../shared/secrets/master-keys.ts';
import { blobName, hashing } from '../copy-files.ts';
import { decryption, recipientOf } from '../encryption.ts';
import { blobKey, openRepository, readBlob } from '../repository.ts';
import { describeLost } from '../restore-backup.ts';
import { type Base, listRanges, missingSegment, readBase, readReach } from './chain.ts';
import { type Recovery, recoverCluster } from './recover-cluster.ts';

export interface TimeRestoreResult {
  /** The database is as it was at this time. */
  to: string;
  /** When the copy was made that the recovery started with. */
  copiedAt: string;
  version: string;
  files: number;
  /** Files that the backup location lacks, or has damaged. */
  damaged: string[];
  /** What the lost master key had encrypted. */
  unreadable?: string;
}

/**
 * Restores the embedded database as it was at a time, with its files, from continuous backups.
 * @param to undefined: the newest state
 * @throws ConfigError if the time is in no chain
 */
export async function restoreToTime(
  config: Config,
  location: string,
  to: Date | undefined,
  identity: string | undefined,
): Promise<TimeRestoreResult> {
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'Continuous backups are restored into a DATA_DIR. From there, make a backup for DATABASE_URL.',
    );
  }
  const { storage } = openRepository(location, config.dataDir);
  const { recovery, until } = await findRecovery(storage, to, identity);
  refuseOtherPlatform(recovery.base);
  await recoverCluster(config.dataDir, recovery);
  let lost: Lost | undefined;
  const prepare = async (db: Database, keys: MasterKeys) => {
    lost = await db.transaction((tx) => giveUpLost(tx, keys));
    return readInstance(db, keys);
  };
  const store = await openStore({ ...config, poolSize: 4 }, 'service', createLog('silent'), prepare);
  try {
    const files = await restoreFiles(store.db, config, storage, store.instance.secret, recovery.identity);
    const { startedAt, version } = recovery.base;
    return {
      to: (to ?? until).toISOString(),
      copiedAt: startedAt,
      version,
      ...files,
      ...(lost && { unreadable: describeLost([lost]) }),
    };
  } finally {
    await store.close();
  }
}

function refuseOtherPlatform({ platform }: Base): void {
  const here = `${process.platform}-${process.arch}`;
  if (platform === here) return;
  throw new ConfigError(`The database was copied on ${platform} and cannot be read on ${here}. Restore a backup.`);
}

export async function findRecovery(
  storage: Storage,
  to: Date | undefined,
  identity: string | undefined,
): Promise<{ recovery: Recovery; until: Date }> {
  const ranges = await listRanges(storage);
  const range = to ? ranges.findLast(({ from, until }) => from <= to && to <= until) : ranges.at(-1);
  if (!range) {
    const known = ranges.map(({ from, until }) => `${from.toISOString()} to ${until.toISOString()}`).join(', ');
    throw new ConfigError(
      known === ''
        ? 'There are no continuous backups at this location.'
        : `The database can be restored to times from ${known}.`,
    );
  }
  const { chain, until } = range;
  let found: { baseName: string; base: Base } | undefined;
  for (const baseName of chain.bases) {
    const base = await readBase(storage, chain.id, baseName);
    if (base && (to === undefined || Date.parse(base.finishedAt) <= to.getTime())) found = { baseName, base };
  }
  const reach = await readReach(storage, chain.id);
  if (!found || !reach) throw new ConfigError('There are no continuous backups at this location.');
  const { base } = found;
  const lost = missingSegment(chain, base.firstSegment, reach.segment);
  if (lost) throw new ConfigError(`The backup location lacks the segment ${lost} of the log.`);
  if (base.isEncrypted && identity === undefined) {
    throw new ConfigError('The backup is encrypted: pass --identity <file> or set BACKUP_IDENTITY.');
  }
  return { recovery: { storage, chain, ...found, identity: base.isEncrypted ? identity : undefined, to }, until };
}

/** Puts the files that the database refers to into the storage. */
async function restoreFiles(
  db: Database,
  config: Config,
  from: Storage,
  secret: Buffer,
  identity: string | undefined,
): Promise<{ files: number; damaged: string[] }> {
  const to = openStorage(config);
  const recipient = identity === undefined ? undefined : await recipientOf(identity);
  const folder = join(to.uploadsFolder, 'restore');
  const path = join(folder, 'file');
  await mkdir(folder, { recursive: true });
  const posters: string[] = [];
  const damaged: string[] = [];
  let files = 0;
  for (let after = ''; ; ) {
    const page = await listAssetBlobs(db, { after, max: 500 });
    for (const { storage_key: key, sha256, bytes, media_type } of page) {
      if (sha256 === null) {
        posters.push(key);
        continue;
      }
      if ((await to.size(key)) === Number(bytes)) continue;
      const digest = sha256.toString('hex');
      const isIntact = await copyBlob(from, blobName(digest, recipient, secret), digest, identity, path);
      if (isIntact) await to.put(path, key, media_type);
      if (isIntact) files++;
      else damaged.push(key);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.storage_key;
  }
  await rm(folder, { recursive: true, force: true });
  // The database does not know their digests.
  await requeuePosters(db, { keys: posters, now: new Date() });
  return { files, damaged };
}

async function copyBlob(
  from: Storage,
  name: string,
  sha256: string,
  identity: string | undefined,
  path: string,
): Promise<boolean> {
  const bytes = await from.size(blobKey(name));
  if (bytes === undefined) return false;
  const content = await readBlob(from, blobKey(name), bytes);
  const { stage, digest } = hashing();
  await pipeline(stage(identity === undefined ? content : decryption(identity)(content)), createWriteStream(path));
  return digest() === sha256;
}
