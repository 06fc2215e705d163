import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { portableColumns } from '../analytics/index.ts';
import { CACHE_TABLES, listAssetBlobs, openStorage } from '../files/index.ts';
import { ConfigError } from '../shared/config.ts';
import { BACKUP_LOCK } from '../shared/postgres/backup-lock.ts';
import { openDatabase } from '../shared/postgres/database.ts';
import { VERSION } from '../shared/version.ts';
import { ArchiveWriter } from './archive.ts';
import { copyFiles, type ListedBlob } from './copy-files.ts';
import { copyTable } from './copy-tables.ts';
import { describeDatabase } from './describe-database.ts';
import { type BackupResult, FORMAT, type Footer, type Header } from './format.ts';
import { applyRetention, backupName, openRepository, type Repository } from './repository.ts';

export interface BackupPlan {
  connection: pg.PoolConfig;
  /** Where the service stores files. */
  storageUrl: string | undefined;
  dataDir: string;
  /** A file that does not exist, or a repository: `s3://…` or a folder. */
  target: string;
  /** The public key to encrypt to. */
  recipient: string | undefined;
  /** How many backups the repository keeps; undefined: all. */
  keep: number | undefined;
  /** Does nothing if the repository has a backup younger than this. */
  unlessYoungerThanMs: number | undefined;
  /** False: the archive contains the database alone. */
  withFiles?: boolean;
}

export const isRepository = async (target: string): Promise<boolean> =>
  target.startsWith('s3://') ||
  target.endsWith('/') ||
  ((await stat(target).catch(() => undefined))?.isDirectory() ?? false);

/**
 * Backs up the database, as it is at one moment, and the files that it refers to. The service may be running: deletions of
 * files wait until the end. An interrupted backup leaves nothing that looks like a backup.
 * @returns undefined if no backup is due
 * @throws ConfigError if another backup is running
 */
export async function writeBackup(plan: BackupPlan): Promise<BackupResult | undefined> {
  const db = openDatabase(plan.connection, 1, () => {});
  const client = await db.connect('headwater backup');
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [BACKUP_LOCK]);
    if (!rows[0].locked) throw new ConfigError('another backup of this database is running');
    if (!(await isRepository(plan.target))) return await writeFileBackup(client, plan);
    const repository = openRepository(
      plan.target.startsWith('s3://') ? plan.target : resolve(plan.target),
      plan.dataDir,
    );
    const newest = plan.unlessYoungerThanMs === undefined ? undefined : (await repository.list())[0];
    if (newest && Date.now() - newest.createdAt.getTime() < (plan.unlessYoungerThanMs ?? 0)) return undefined;
    const result = await writeRepositoryBackup(client, plan, repository);
    if (plan.keep !== undefined) await applyRetention(repository, plan.keep, Date.now());
    return result;
  } finally {
    await client.end().catch(() => {});
    await db.close();
  }
}

async function writeFileBackup(client: pg.Client, plan: BackupPlan): Promise<BackupResult> {
  const path = resolve(plan.target);
  if (await stat(path).catch(() => undefined)) throw new ConfigError(`${path} already exists`);
  const folder = `${path}.partial`;
  await mkdir(folder, { mode: 0o700 }).catch((cause: { code?: string }) => {
    if (cause.code === 'EEXIST') throw new ConfigError(`${folder} was left by an interrupted backup: delete it`);
    throw new ConfigError(`${dirname(path)} cannot be written (${cause.code})`, { cause });
  });
  try {
    const result = await writeArchive(client, plan, { folder, name: basename(path), repository: undefined });
    await rename(join(folder, basename(path)), path);
    return { ...result, location: path };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writeRepositoryBackup(client: pg.Client, plan: BackupPlan, repository: Repository): Promise<BackupResult> {
  return repository.withSpool(async (folder) => {
    const name = backupName(new Date(), plan.recipient !== undefined);
    const result = await writeArchive(client, plan, { folder, name, repository });
    const { storage } = repository;
    // The list comes first: a backup never appears without it.
    await storage.put(join(folder, 'names'), `backups/${name}.files`, 'text/plain');
    await storage.put(join(folder, name), `backups/${name}`, 'application/octet-stream');
    return { ...result, location: `${plan.target.split('?', 1)[0]?.replace(/\/$/, '')}/backups/${name}` };
  });
}

interface Destination {
  folder: string;
  name: string;
  repository: Repository | undefined;
}

async function writeArchive(
  client: pg.Client,
  plan: BackupPlan,
  { folder, name, repository }: Destination,
): Promise<Omit<BackupResult, 'location'>> {
  const startedAt = new Date();
  const path = join(folder, name);
  const archive = new ArchiveWriter(path, plan.recipient, startedAt);
  try {
    const list = join(folder, 'blobs.ndjson');
    const tables = await copyDatabase(client, archive, list, {
      version: VERSION,
      createdAt: startedAt.toISOString(),
      files: repository ? 'repository' : 'archive',
    });
    const from = openStorage(plan);
    const { rows } = await client.query('select secret from instance');
    const names = createWriteStream(join(folder, 'names'), { mode: 0o600 });
    const files = await copyFiles(archive, from, plan.withFiles === false ? none() : readList(list), {
      folder,
      names,
      repository: repository?.storage,
      recipient: plan.recipient,
      secret: rows[0].secret,
    });
    await pipeline([], names);
    await archive.add('end.json', json({ tables, files: files.files, fileBytes: files.fileBytes } satisfies Footer));
    await archive.finish();
    // The lock belongs to the connection: if it was lost, files may have been deleted during the backup.
    await client.query('select 1');
    return {
      name,
      createdAt: startedAt.toISOString(),
      isEncrypted: plan.recipient !== undefined,
      bytes: (await stat(path)).size,
      tables: Object.keys(tables).length,
      rows: Object.values(tables).reduce((sum, table) => sum + table.rows, 0),
      ...files,
      seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
    };
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

/** Copies all rows in one snapshot, which ends here: it keeps PostgreSQL from cleaning up. Also writes the list of blobs. */
async function copyDatabase(
  client: pg.Client,
  archive: ArchiveWriter,
  list: string,
  header: Omit<Header, 'format' | 'database'>,
): Promise<Footer['tables']> {
  await client.query('begin isolation level repeatable read, read only');
  await client.query('set local statement_timeout = 0');
  const database = await describeDatabase(client);
  database.tables = database.tables.filter(({ name }) => !CACHE_TABLES.includes(name));
  await archive.add('backup.json', json({ format: FORMAT, ...header, database } satisfies Header));
  const expressions = await portableColumns(client);
  const tables: Footer['tables'] = {};
  for (const table of database.tables) {
    tables[table.name] = await copyTable(client, table, expressions, (chunk, number) =>
      archive.add(`tables/${table.name}/${String(number).padStart(6, '0')}.copy`, chunk),
    );
  }
  await pipeline(listBlobs(client), createWriteStream(list, { mode: 0o600 }));
  await client.query('commit');
  return tables;
}

/** The blobs of all assets, as lines of JSON. */
export async function* listBlobs(client: pg.Client): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listAssetBlobs(client, { after, max: 1_000 });
    for (const { storage_key, media_type, sha256, bytes } of page) {
      const blob: ListedBlob = {
        key: storage_key,
        mediaType: media_type,
        bytes,
        sha256: sha256?.toString('hex') ?? null,
      };
      yield `${JSON.stringify(blob)}\n`;
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.storage_key;
  }
}

export async function* readList(path: string): AsyncGenerator<ListedBlob> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line);
}

async function* none(): AsyncGenerator<never> {}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
