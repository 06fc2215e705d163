import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { openStorage } from '../../files/index.ts';
import { MAIN } from '../../shared/main-cell.ts';
import { BACKUP_LOCK } from '../../shared/postgres/backup-lock.ts';
import { VERSION } from '../../shared/version.ts';
import { ArchiveWriter } from '../archive.ts';
import { copyFiles, type ListedBlob } from '../copy-files.ts';
import { openRepository, putJson, type Repository } from '../repository.ts';
import { listBlobs } from '../snapshots.ts';
import { readList } from '../write-backup.ts';
import { type Base, baseKey, chainKey, timeName } from './chain.ts';
import { parsePosition, segmentAt, segmentName } from './segments.ts';

export interface CopyPlan {
  /** As superuser. */
  connection: pg.ClientConfig;
  chain: string;
  target: string;
  recipient: string | undefined;
  /** See `BackupPlan`. */
  secret: Uint8Array;
  dataDir: string;
  storageUrl: string | undefined;
}

/** What the server writes again when it starts, or the log brings back. Their folders are kept, as PostgreSQL's own base backups do. */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|postgresql\.auto\.conf\.tmp|pg_internal\.init(\.\d+)?|pgsql_tmp[^/]*)(\/|$)/;
const CONTROL = 'global/pg_control';

/**
 * Copies the files of the running cluster, and those of the storage that earlier copies lack. The copy is consistent together
 * with the log that is written meanwhile.
 */
export async function copyCluster({
  connection,
  chain,
  target,
  recipient,
  secret,
  dataDir,
  storageUrl,
}: CopyPlan): Promise<Base> {
  const repository = openRepository(target, dataDir);
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await repository.withSpool(async (folder) => {
      const startedAt = new Date();
      const { rows: started } = await client.query("select pg_backup_start('headwater', true)::text as position");
      const path = join(folder, 'base');
      const archive = new ArchiveWriter(path, recipient, startedAt);
      let stopped: { position: string; label: string; timeline: number; version: number };
      try {
        await copyFolder(archive, join(dataDir, 'postgres/cluster'));
        const { rows } = await client.query(
          `select lsn::text as position, labelfile as label, (select timeline_id from pg_control_checkpoint()) as timeline,
             current_setting('server_version_num')::int / 10000 as version
           from pg_backup_stop(false)`,
        );
        stopped = rows[0];
        await archive.add('backup_label', stopped.label);
        await archive.finish();
      } catch (error) {
        await archive.abort();
        throw error;
      }
      const finishedAt = new Date();
      const name = timeName(startedAt);
      await copyBlobs(client, repository, folder, { chain, recipient, secret, dataDir, storageUrl, name });
      const nameAt = (position: string) => segmentName(stopped.timeline, segmentAt(parsePosition(position)));
      const base: Base = {
        startedAt: startedAt.toISOString(),
        finishedAt: finishedAt.toISOString(),
        firstSegment: nameAt(started[0].position),
        lastSegment: nameAt(stopped.position),
        platform: `${process.platform}-${process.arch}`,
        postgres: stopped.version,
        version: VERSION,
        bytes: await sizeOf(path),
        isEncrypted: recipient !== undefined,
      };
      await repository.storage.put(path, baseKey(chain, name, base.isEncrypted), 'application/octet-stream');
      // Last: a copy without it is incomplete.
      await putJson(repository, chainKey(chain, 'bases', `${name}.json`), base);
      return base;
    });
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyFolder(archive: ArchiveWriter, cluster: string): Promise<void> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  const folders: string[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const path = relative(cluster, join(entry.parentPath, entry.name));
    if (LEFT_OUT.test(path) || EMPTIED.test(path)) continue;
    if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile() && path !== CONTROL) files.push(path);
  }
  await archive.add('folders.json', JSON.stringify(folders.sort()));
  // The control file is last, as in PostgreSQL's own base backups.
  for (const path of [...files, CONTROL]) {
    const handle = await open(join(cluster, path)).catch((error: { code?: string }) => {
      // A table was dropped meanwhile; the log knows.
      if (error.code !== 'ENOENT') throw error;
    });
    if (!handle) continue;
    try {
      const { size } = await handle.stat();
      await archive.addStream(`cluster/${path}`, size, exactly(handle, size));
    } finally {
      await handle.close();
    }
  }
}

/** The first `size` bytes of a file; zeros for those that were truncated meanwhile, which the log brings about again. */
async function* exactly(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.alloc(Math.min(1_048_576, size - position));
    await handle.read(buffer, 0, buffer.length, position);
    position += buffer.length;
    yield buffer;
  }
}

interface BlobCopy {
  chain: string;
  name: string;
  recipient: string | undefined;
  /** See `BackupPlan`. */
  secret: Uint8Array;
  dataDir: string;
  storageUrl: string | undefined;
}

/** Copies the files that the database refers to now, as far as the repository lacks them. */
async function copyBlobs(client: pg.Client, repository: Repository, folder: string, copy: BlobCopy): Promise<void> {
  const list = join(folder, 'blobs.ndjson');
  // Deletions wait, as for a backup.
  await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
  await pipeline(listBlobs(client, MAIN), createWriteStream(list, { mode: 0o600 }));
  await storeBlobs(repository, folder, copy, readList(list));
  await client.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]);
}

/** Stores blobs in the repository, and the list of their names in the chain. */
export async function storeBlobs(
  repository: Repository,
  folder: string,
  { chain, name, recipient, secret, dataDir, storageUrl }: BlobCopy,
  blobs: AsyncIterable<ListedBlob>,
): Promise<void> {
  const names = createWriteStream(join(folder, 'names'), { mode: 0o600 });
  const index = { add: async () => {}, addStream: async () => {} };
  const { storage } = repository;
  const destination = { folder, names, repository: storage, recipient, secret };
  await copyFiles(index, openStorage({ storageUrl, dataDir }), blobs, destination);
  await pipeline([], names);
  await storage.put(join(folder, 'names'), chainKey(chain, 'blobs', `${name}.files`), 'text/plain');
}

async function sizeOf(path: string): Promise<number> {
  const handle = await open(path);
  return (await handle.stat().finally(() => handle.close())).size;
}
