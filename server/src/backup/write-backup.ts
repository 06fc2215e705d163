import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { CellConnection } from '../cells/index.ts';
import { openStorage } from '../files/index.ts';
import { ConfigError } from '../shared/config.ts';
import { VERSION } from '../shared/version.ts';
import { ArchiveWriter } from './archive.ts';
import { copyFiles, type ListedBlob } from './copy-files.ts';
import { type BackupResult, FORMAT, type Footer, type Header } from './format.ts';
import { applyRetention, backupName, openRepository, type Repository } from './repository.ts';
import { copyRows, type LockedCell, lockCells, takeSnapshots, unlockCells } from './snapshots.ts';

export interface BackupPlan {
  /** The databases of all cells, the main one first, or that of one cell. */
  cells: CellConnection[];
  /** Where the service stores files. */
  storageUrl: string | undefined;
  dataDir: string;
  /** A file that does not exist, or a repository: `s3://…` or a folder. */
  target: string;
  /** The public key to encrypt to. */
  recipient: string | undefined;
  /** That of the installation, of which the names of encrypted files are made. */
  secret: Uint8Array;
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
 * Backs up the databases, as they are at one moment, and the files that they refer to. The service may be running: deletions of
 * files wait until the end. An interrupted backup leaves nothing that looks like a backup.
 * @returns undefined if no backup is due
 * @throws ConfigError if another backup is running
 */
export async function writeBackup(plan: BackupPlan): Promise<BackupResult | undefined> {
  const open = await lockCells(plan.cells);
  try {
    if (!(await isRepository(plan.target))) return await writeFileBackup(open, plan);
    const repository = openRepository(
      plan.target.startsWith('s3://') ? plan.target : resolve(plan.target),
      plan.dataDir,
    );
    const newest = plan.unlessYoungerThanMs === undefined ? undefined : (await repository.list())[0];
    if (newest && Date.now() - newest.createdAt.getTime() < (plan.unlessYoungerThanMs ?? 0)) return undefined;
    const result = await writeRepositoryBackup(open, plan, repository);
    // While a cell is unavailable, older backups may be the only ones that contain it.
    if (plan.keep !== undefined && open.away.length === 0) await applyRetention(repository, plan.keep, Date.now());
    return result;
  } finally {
    await unlockCells(open.locked);
  }
}

interface OpenCells {
  locked: LockedCell[];
  away: string[];
}

async function writeFileBackup(open: OpenCells, plan: BackupPlan): Promise<BackupResult> {
  const path = resolve(plan.target);
  if (await stat(path).catch(() => undefined)) throw new ConfigError(`${path} already exists`);
  const folder = `${path}.partial`;
  await mkdir(folder, { mode: 0o700 }).catch((cause: { code?: string }) => {
    if (cause.code === 'EEXIST') throw new ConfigError(`${folder} was left by an interrupted backup: delete it`);
    if (cause.code === 'ENOENT') throw new ConfigError(`the folder ${dirname(path)} does not exist`);
    throw new ConfigError(`${dirname(path)} cannot be written (${cause.code})`, { cause });
  });
  try {
    const result = await writeArchive(open, plan, { folder, name: basename(path), repository: undefined });
    await rename(join(folder, basename(path)), path);
    return { ...result, location: path };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writeRepositoryBackup(open: OpenCells, plan: BackupPlan, repository: Repository): Promise<BackupResult> {
  return repository.withSpool(async (folder) => {
    const name = backupName(new Date(), plan.recipient !== undefined);
    const result = await writeArchive(open, plan, { folder, name, repository });
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
  { locked, away }: OpenCells,
  plan: BackupPlan,
  { folder, name, repository }: Destination,
): Promise<Omit<BackupResult, 'location'>> {
  const startedAt = new Date();
  const path = join(folder, name);
  const archive = new ArchiveWriter(path, plan.recipient, startedAt);
  try {
    const list = join(folder, 'blobs.ndjson');
    const databases = await takeSnapshots(locked);
    const header: Header = {
      format: FORMAT,
      version: VERSION,
      createdAt: startedAt.toISOString(),
      files: repository ? 'repository' : 'archive',
      databases,
      away,
    };
    await archive.add('backup.json', json(header));
    const listed = createWriteStream(list, { mode: 0o600 });
    const tables = await copyRows(
      locked,
      databases,
      (entry, content) => archive.add(entry, content),
      async (line) => {
        if (!listed.write(line)) await once(listed, 'drain');
      },
    );
    await pipeline([], listed);
    const from = openStorage(plan);
    const names = createWriteStream(join(folder, 'names'), { mode: 0o600 });
    const files = await copyFiles(archive, from, plan.withFiles === false ? none() : readList(list), {
      folder,
      names,
      repository: repository?.storage,
      recipient: plan.recipient,
      secret: plan.secret,
    });
    await pipeline([], names);
    await archive.add('end.json', json({ tables, files: files.files, fileBytes: files.fileBytes } satisfies Footer));
    await archive.finish();
    // The lock belongs to the connection: if one was lost, files may have been deleted during the backup.
    for (const { client } of locked) await client.query('select 1');
    return {
      name,
      createdAt: startedAt.toISOString(),
      isEncrypted: plan.recipient !== undefined,
      cells: locked.map(({ cell }) => cell),
      bytes: (await stat(path)).size,
      tables: Object.keys(tables).length,
      rows: Object.values(tables).reduce((sum, table) => sum + table.rows, 0),
      ...files,
      damaged: [...away.map((cell) => `cell ${cell}`), ...files.damaged],
      seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
    };
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

export async function* readList(path: string): AsyncGenerator<ListedBlob> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line);
}

async function* none(): AsyncGenerator<never> {}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
