import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from '../shared/config.ts';
import { type Lock, tryLock } from '../shared/data-lock.ts';
import type { Logger } from '../shared/log.ts';
import { MAIN } from '../shared/main-cell.ts';
import { embeddedMajor } from '../shared/postgres/cluster-files.ts';
import { refuseUnusableData } from '../shared/postgres/data-version.ts';
import { openDatabase } from '../shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../shared/postgres/embedded.ts';

/** Finds the folder of the programs of a major version of PostgreSQL; undefined if it is not installed. */
type FindNative = (major: number) => string | undefined;

/**
 * The programs of an earlier major version, which a release that changes the major version installs under the name
 * `postgres-<major>-<platform>`.
 */
export function findEarlierBinaries(major: number): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`postgres-${major}-${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native');
  } catch {
    return undefined;
  }
}

/**
 * Copies the embedded database into a new cluster if another major version of PostgreSQL wrote it. The old cluster stays
 * beside the new one. An interrupted upgrade starts again or is completed by the next start; at any moment, one complete
 * cluster exists.
 * @returns the folder of the old cluster, if there was an upgrade
 */
export async function upgradeCluster(
  config: Config,
  log: Logger,
  findNative: FindNative = findEarlierBinaries,
): Promise<string | undefined> {
  if (config.databaseUrl !== undefined) return undefined;
  refuseUnusableData(config.dataDir, true);
  const root = join(config.dataDir, 'postgres');
  const cluster = join(root, 'cluster');
  const draft = join(config.dataDir, 'upgrade');
  const complete = join(draft, 'complete');
  if (existsSync(complete)) return replaceCluster(cluster, draft, Number(readFileSync(complete, 'utf8')));
  const from = majorOf(cluster);
  if (from === undefined) return undefined;
  const to = embeddedMajor();
  if (from === to) return undefined;
  if (from > to)
    throw new ConfigError(`DATA_DIR ${config.dataDir} belongs to PostgreSQL ${from}: install a newer version`);
  const native = findNative(from);
  if (native === undefined) {
    throw new ConfigError(
      `DATA_DIR ${config.dataDir} belongs to PostgreSQL ${from}, whose programs are not installed: ` +
        'make a backup with the version that wrote it, and restore it with this one',
    );
  }
  log.info({ from, to }, 'upgrading PostgreSQL');
  const locks = ['service.lock', 'postgres.lock'].map((name) => tryLock(join(config.dataDir, name)));
  try {
    if (locks.includes(undefined))
      throw new ConfigError(`DATA_DIR ${config.dataDir} is in use: stop its service first`);
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    await copyCluster(config, native, draft, log);
    writeFileSync(complete, String(from));
    return replaceCluster(cluster, draft, from);
  } finally {
    for (const lock of locks as (Lock | undefined)[]) lock?.release();
  }
}

async function copyCluster(config: Config, native: string, draft: string, log: Logger): Promise<void> {
  // Loaded on demand: every start imports this module.
  const [{ writeBackup }, { restoreBackup }, { findSource }] = await Promise.all([
    import('./write-backup.ts'),
    import('./restore-backup.ts'),
    import('./source.ts'),
  ]);
  const archive = join(draft, 'database.tar.zst');
  const toLog = (level: 'info' | 'warn' | 'error', message: string) => log[level](message);
  const old = await startEmbeddedPostgres({ dataDir: config.dataDir, native, log: toLog });
  try {
    await writeBackup({
      secret: Buffer.alloc(0),
      cells: [{ cell: MAIN, connection: old.connection }],
      storageUrl: config.storageUrl,
      dataDir: config.dataDir,
      target: archive,
      recipient: undefined,
      keep: undefined,
      unlessYoungerThanMs: undefined,
      withFiles: false,
    });
  } finally {
    await old.stop();
  }
  const server = await startEmbeddedPostgres({ dataDir: draft, log: toLog });
  const db = openDatabase(server.connection, 2, () => {});
  try {
    const source = await findSource(archive, undefined, draft);
    const connect = () => db.connect('headwater upgrade');
    const { rows } = await restoreBackup({ source, identity: undefined, storage: config, connect });
    log.info({ rows }, 'PostgreSQL was upgraded; the old cluster is kept');
  } finally {
    await db.close();
    await server.stop();
  }
}

/** Each step is skipped if it was done before an interruption. */
function replaceCluster(cluster: string, draft: string, from: number): string {
  const kept = `${cluster}-${from}`;
  const fresh = join(draft, 'postgres/cluster');
  if (existsSync(fresh)) {
    if (existsSync(cluster)) renameSync(cluster, kept);
    renameSync(fresh, cluster);
  }
  rmSync(draft, { recursive: true, force: true });
  return kept;
}

function majorOf(cluster: string): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}
