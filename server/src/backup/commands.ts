import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type pg from 'pg';
import { cellConnections, moveCells, openEmptyCell } from '../cells/index.ts';
import { type Config, ConfigError } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { MAIN } from '../shared/main-cell.ts';
import type { ControlTx, Database } from '../shared/postgres/database.ts';
import { NO_INSTANCE, openStore, type Store } from '../shared/postgres/open-store.ts';
import { type Instance, readInstance } from '../shared/secrets/instance.ts';
import { MasterKeys } from '../shared/secrets/master-keys.ts';
import { listRanges } from './continuous/chain.ts';
import { restoreToTime, type TimeRestoreResult } from './continuous/restore-to-time.ts';
import { type ChainVerification, verifyChain } from './continuous/verify-chain.ts';
import { createBackupKey, parseIdentity } from './encryption.ts';
import type { BackupResult } from './format.ts';
import { openRepository } from './repository.ts';
import { type RestoreResult, restoreBackup } from './restore-backup.ts';
import { findSource } from './source.ts';
import { type Verification, verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupOptions {
  /** The public key to encrypt to; by default that of the settings. */
  recipient?: string | undefined;
  /** A file with the private key; by default BACKUP_IDENTITY contains it. */
  identity?: string | undefined;
  /** The name of a backup in a repository. */
  backup?: string | undefined;
  /** Backs up or restores this cell alone. */
  cell?: string | undefined;
  /** A time, or `latest`: restores or verifies continuous backups. */
  to?: string | undefined;
}

type Result =
  | BackupResult
  | RestoreResult
  | TimeRestoreResult
  | Verification
  | ChainVerification
  | Awaited<ReturnType<typeof listByCommand>>
  | Awaited<ReturnType<typeof createBackupKey>>;

/**
 * Runs `backup <location>`, `backup list <location>`, `backup verify <location> [--to <time>]`, `backup key` or
 * `restore <location> [--to <time>]`.
 * @returns undefined if the words are none of these
 */
export async function runBackupCommand(
  [command, ...words]: string[],
  config: Config,
  options: BackupOptions,
): Promise<Result | undefined> {
  process.umask(0o077);
  const [first, second] = words;
  if (command === 'backup' && first === 'key' && words.length === 1) return createBackupKey();
  if (command === 'backup' && first === 'list' && words.length === 2) return listByCommand(config, second ?? '');
  if (command === 'backup' && first === 'verify' && words.length === 2) {
    const identity = await identityOf(options);
    if (options.to !== undefined) {
      const repository = openRepository(locationOf(second ?? ''), config.dataDir);
      return verifyChain(repository, parseTime(options.to), identity);
    }
    return verifyBackup(await findSource(second ?? '', options.backup, config.dataDir), identity);
  }
  if (first === undefined || words.length !== 1) return undefined;
  if (command === 'backup') {
    // Not migrated: the backup is made before an upgrade.
    return withDatabase(config, 'command', readInstance, (store) => backUp(store, config, first, options));
  }
  const identity = await identityOf(options);
  if (options.to !== undefined) {
    return restoreToTime(config, locationOf(first), parseTime(options.to), identity);
  }
  const source = await findSource(first, options.backup, config.dataDir);
  const keys = new MasterKeys(config);
  const { cell } = options;
  const plan = { source, identity, storage: config, cell, keys };
  // A cell is restored while the service uses the control database.
  if (cell !== undefined && cell !== MAIN) return restoreBackup({ ...plan, connect: (name) => toCell(config, name) });
  return withDatabase(
    config,
    'service',
    async () => NO_INSTANCE,
    ({ db }) =>
      restoreBackup({
        ...plan,
        connect: (name) => (name === MAIN ? db.connect('headwater restore') : toCell(config, name)),
        finish: (control) =>
          moveCells(control as pg.Client & ControlTx, cell === undefined ? config.cells : new Map(), keys),
      }),
  );
}

/** Connects to the database that CELLS names. */
async function toCell({ cells }: Config, cell: string): Promise<pg.Client> {
  const url = cells.get(cell);
  if (url === undefined) {
    throw new ConfigError(
      `The backup contains the cell ${cell}: name an empty database for it in CELLS, such as ${cell}=postgres://…`,
    );
  }
  const db = await openEmptyCell(cell, url);
  return db.connect('headwater restore').finally(() => db.close());
}

async function withDatabase<T>(
  config: Config,
  role: 'service' | 'command',
  prepare: (db: Database, keys: MasterKeys) => Promise<Instance>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ ...config, poolSize: 4 }, role, createLog('silent'), prepare);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function backUp(
  { db, instance: { secret } }: Store,
  { storageUrl, dataDir, backup }: Config,
  target: string,
  { recipient = backup.recipient, cell: only }: BackupOptions,
): Promise<BackupResult> {
  const all = await cellConnections(db, secret);
  const cells = all.filter(({ cell }) => only === undefined || cell === only);
  if (cells.length === 0) throw new ConfigError(`there is no cell ${only}`);
  const plan = {
    cells,
    storageUrl,
    dataDir,
    target,
    recipient,
    secret,
    keep: undefined,
    unlessYoungerThanMs: undefined,
  };
  const result = await writeBackup(plan);
  if (!result) throw new Error('the backup ended without a result');
  return result;
}

async function listByCommand({ dataDir }: Config, location: string) {
  const repository = openRepository(locationOf(location), dataDir);
  const [backups, ranges] = [await repository.list(), await listRanges(repository.storage)];
  return {
    backups: backups.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    continuous: ranges.map(({ from, until }) => ({ from: from.toISOString(), until: until.toISOString() })),
  };
}

const locationOf = (location: string) => (location.startsWith('s3://') ? location : resolve(location));

/** @returns undefined for `latest` */
function parseTime(text: string): Date | undefined {
  if (text === 'latest') return undefined;
  const time = new Date(text);
  // Without an offset a time would mean something else on each machine.
  if (/(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new ConfigError(`--to must be "latest" or a time such as 2026-11-22T14:30:00Z, not "${text}"`);
}

async function identityOf({ identity }: BackupOptions): Promise<string | undefined> {
  if (identity !== undefined) return parseIdentity(await readFile(identity, 'utf8'));
  const text = process.env.BACKUP_IDENTITY?.trim();
  return text ? parseIdentity(text) : undefined;
}
