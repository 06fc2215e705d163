import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import { type Lock, tryLock } from '../data-lock.ts';
import type { Logger } from '../log.ts';
import { type Database, openDatabase } from './database.ts';
import { type EmbeddedPostgres, embeddedConnection, isReady, startEmbeddedPostgres } from './embedded.ts';
import { migrate } from './migrate.ts';

export interface Store {
  db: Database;
  /** The instance's secret, from which page tokens and links are signed. */
  secret: Buffer;
  close(): Promise<void>;
}

const WAIT_MS = 30_000;

/**
 * Opens the database at its newest schema: the one of DATABASE_URL, or the embedded one, which is started unless it runs.
 *
 * Two locks guard a data folder. `service.lock` is held by the one service there may be; `postgres.lock` by whoever runs
 * the embedded server, a service or, while none runs, a command.
 */
export async function openStore(config: Config, role: 'service' | 'command', log: Logger): Promise<Store> {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  if (config.databaseUrl !== undefined) {
    return prepare(openDatabase({ connectionString: config.databaseUrl }, config.poolSize, onError), async () => {});
  }
  mkdirSync(config.dataDir, { recursive: true });
  const held: Lock[] = [];
  if (role === 'service') {
    const lock = tryLock(join(config.dataDir, 'service.lock'));
    if (!lock) throw new ConfigError(`another service is running on DATA_DIR ${config.dataDir}`);
    held.push(lock);
  }
  const server = await runOrJoin(config.dataDir, held, log);
  const db = openDatabase(embeddedConnection(config.dataDir), config.poolSize, onError);
  return prepare(db, async () => {
    await server?.stop();
    for (const lock of held) lock.release();
  });
}

/** Starts the embedded server, or undefined where somebody else runs it and it takes connections. */
async function runOrJoin(dataDir: string, held: Lock[], log: Logger): Promise<EmbeddedPostgres | undefined> {
  const mustRun = held.length > 0;
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(50)) {
    const lock = tryLock(join(dataDir, 'postgres.lock'));
    if (lock) {
      held.push(lock);
      return startEmbeddedPostgres({ dataDir, log: (level, message) => log[level](message) });
    }
    if (!mustRun && (await isReady(embeddedConnection(dataDir)))) return undefined;
  }
  throw new ConfigError(
    `the embedded PostgreSQL of DATA_DIR ${dataDir} is held by another process and does not answer`,
  );
}

async function prepare(db: Database, stop: () => Promise<void>): Promise<Store> {
  const close = async () => {
    await db.close();
    await stop();
  };
  try {
    await migrate(db);
    const { rows } = await db.query(
      `with made as (
         insert into instance (secret) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
         on conflict do nothing returning secret)
       select secret from made union all select secret from instance limit 1`,
    );
    return { db, secret: rows[0].secret, close };
  } catch (error) {
    await close();
    throw error;
  }
}
