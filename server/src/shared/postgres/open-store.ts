import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import { type Lock, tryLock } from '../data-lock.ts';
import type { Logger } from '../log.ts';
import { type Instance, openInstance } from '../secrets/instance.ts';
import { MasterKeys } from '../secrets/master-keys.ts';
import { recordVersion, refuseUnusableData } from './data-version.ts';
import { asControl, type ControlDatabase, type Database, openDatabase } from './database.ts';
import { isConnectionError } from './database-errors.ts';
import { type EmbeddedPostgres, embeddedConnection, isReady, startEmbeddedPostgres } from './embedded.ts';
import { migrate } from './migrate.ts';

export interface Store {
  db: ControlDatabase;
  instance: Instance;
  keys: MasterKeys;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** Prepares the database, and reads what it says of the installation. */
type Prepare = (db: Database, keys: MasterKeys) => Promise<Instance>;

/** For work that needs no secret. */
export const NO_INSTANCE: Instance = { secret: Buffer.alloc(0), sessionKey: Buffer.alloc(0) };

/** It ran just now if the database was empty. */
export const FIRST_MIGRATION = '000001-shared.sql';

/**
 * Opens the database and migrates it, unless `prepare` does something else: that of DATABASE_URL, or the embedded one, which is started unless it is running.
 *
 * Two locks guard a data folder: `service.lock` is held by the only service that may use it, `postgres.lock` by the process
 * that runs the embedded server, a service or, if none is running, a command.
 * @throws ConfigError if the folder or the database of a setting cannot be used
 */
export async function openStore(
  config: Config,
  role: 'service' | 'command',
  log: Logger,
  prepare: Prepare = migrateAndRead,
): Promise<Store> {
  const keys = new MasterKeys(config);
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  if (config.databaseUrl !== undefined) {
    const db = openDatabase({ connectionString: config.databaseUrl }, config.poolSize, onError);
    try {
      return await prepared(db, prepare, keys, async () => {});
    } catch (error) {
      throw unusable('DATABASE_URL', error, isDatabaseRefusal);
    }
  }
  try {
    return await openEmbedded(config, role, log, onError, prepare, keys);
  } catch (error) {
    throw unusable(`DATA_DIR ${config.dataDir}`, error, isFolderRefusal);
  }
}

async function openEmbedded(
  config: Config,
  role: 'service' | 'command',
  log: Logger,
  onError: (error: Error) => void,
  prepare: Prepare,
  keys: MasterKeys,
): Promise<Store> {
  refuseUnusableData(config.dataDir);
  const held: Lock[] = [];
  const release = () => {
    for (const lock of held) lock.release();
  };
  try {
    mkdirSync(config.dataDir, { recursive: true });
    if (role === 'service') {
      const lock = tryLock(join(config.dataDir, 'service.lock'));
      if (!lock) throw new ConfigError(`another service is running on DATA_DIR ${config.dataDir}`);
      held.push(lock);
    }
    const server = await runOrJoin(config, held, log);
    const db = openDatabase(embeddedConnection(config.dataDir), config.poolSize, onError);
    const recorded: Prepare = async (...args) => {
      const instance = await prepare(...args);
      if (prepare === migrateAndRead) recordVersion(config.dataDir);
      return instance;
    };
    return await prepared(db, recorded, keys, async () => {
      await server?.stop();
      release();
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** Starts the embedded server; undefined if another process runs it and it accepts connections. */
async function runOrJoin(
  { dataDir, poolSize }: Config,
  held: Lock[],
  log: Logger,
): Promise<EmbeddedPostgres | undefined> {
  const mustRun = held.length > 0;
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    const lock = tryLock(join(dataDir, 'postgres.lock'));
    if (lock) {
      held.push(lock);
      // Beyond the pool: listeners, exports, commands.
      const settings = { max_connections: String(Math.max(120, poolSize + 40)) };
      return startEmbeddedPostgres({ dataDir, settings, log: (level, message) => log[level](message) });
    }
    if (!mustRun && (await isReady(embeddedConnection(dataDir)))) return undefined;
  }
  throw new ConfigError(
    `the embedded PostgreSQL of DATA_DIR ${dataDir} is held by another process and does not respond`,
  );
}

async function prepared(db: Database, prepare: Prepare, keys: MasterKeys, stop: () => Promise<void>): Promise<Store> {
  const close = async () => {
    await db.close();
    await stop();
  };
  try {
    return { db: asControl(db), instance: await prepare(db, keys), keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrateAndRead(db: Database, keys: MasterKeys): Promise<Instance> {
  const ran = await migrate(db);
  return openInstance(db, keys, ran.includes(FIRST_MIGRATION));
}

/** Converts an error that the setting causes to one line that names the setting. */
function unusable(setting: string, error: unknown, isCausedBySetting: (error: unknown) => boolean): unknown {
  if (error instanceof ConfigError ? error.message.includes('DATA_DIR') : !isCausedBySetting(error)) return error;
  const { message, code } = error as { message: string; code?: string };
  return new ConfigError(`${setting} cannot be used: ${message || code}`, { cause: error });
}

/** Unreachable, authentication failed, or missing privileges. PostgreSQL's message says which, without a password. */
function isDatabaseRefusal(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return isConnectionError(error) || /^(28|3D|42501|0A|53300|EAI_|ENOTFOUND|ENET|EHOST|CERT_|SELF_|DEPTH_)/.test(code);
}

function isFolderRefusal(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return (
    /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOSPC|ENAMETOOLONG)$/.test(code ?? '') ||
    /^(unable to open database file|attempt to write a readonly database|initdb failed|the folder )/.test(message)
  );
}
