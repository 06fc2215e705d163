import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import { type Lock, tryLock } from '../data-lock.ts';
import type { Logger } from '../log.ts';
import { asControl, type ControlDatabase, type Database, isConnectionError, openDatabase } from './database.ts';
import { type EmbeddedPostgres, embeddedConnection, isReady, startEmbeddedPostgres } from './embedded.ts';
import { migrate } from './migrate.ts';

export interface Store {
  db: ControlDatabase;
  /** The secret of the instance; see `Deps.secret`. */
  secret: Buffer;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** Opens the database, and returns the secret of the instance. */
type Prepare = (db: Database) => Promise<Buffer>;

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
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  if (config.databaseUrl !== undefined) {
    const db = openDatabase({ connectionString: config.databaseUrl }, config.poolSize, onError);
    try {
      return await prepared(db, prepare, async () => {});
    } catch (error) {
      throw unusable('DATABASE_URL', error, isDatabaseRefusal);
    }
  }
  try {
    return await openEmbedded(config, role, log, onError, prepare);
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
): Promise<Store> {
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
    return await prepared(db, prepare, async () => {
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

async function prepared(db: Database, prepare: Prepare, stop: () => Promise<void>): Promise<Store> {
  const close = async () => {
    await db.close();
    await stop();
  };
  try {
    return { db: asControl(db), secret: await prepare(db), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrateAndRead(db: Database): Promise<Buffer> {
  await migrate(db);
  return readSecret(db);
}

/** @throws ConfigError for a database that the service has never used */
export async function readSecret(db: Database): Promise<Buffer> {
  const { rows } = await db.query('select secret from instance').catch((cause: { code?: string }) => {
    if (cause.code !== '42P01') throw cause;
    throw new ConfigError('the database is empty: start the service once', { cause });
  });
  return rows[0].secret;
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
