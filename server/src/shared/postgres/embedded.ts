import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../config.ts';
import { MINUTE } from '../units.ts';
import {
  configure,
  DATABASE,
  embeddedConnection,
  prepareFolders,
  ROLE,
  SUPERUSER,
  superuserConnection,
} from './cluster-files.ts';
import { collect, type Owner, type Running, run, stopOrphan } from './server-process.ts';

export { embeddedConnection, findBinaries } from './cluster-files.ts';

export interface EmbeddedPostgres {
  /** Socket folder, user and database for the driver. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** `DATA_DIR`. */
  dataDir: string;
  log: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** Settings that override the defaults (tests switch fsync off). */
  settings?: Record<string, string>;
  /** The folder of PostgreSQL's programs and libraries; by default that of the npm package. */
  native?: string;
}

const START_TIMEOUT_MS = MINUTE;
const STOP_TIMEOUT_MS = 8_000;
/** The role does not exist, or this user may not be it. */
const INVALID_AUTHORIZATION = '28000';

/**
 * Starts the PostgreSQL of the npm package on `dataDir/postgres` and creates the cluster if there is none. The caller holds
 * the lock of the data folder, so a server that is found there is an orphan and is stopped first. A server that dies is
 * restarted until `stop` is called.
 *
 * Only the operating system user of the service can connect (peer authentication over a socket in a private folder). As
 * root, the server runs as `nobody` with a private group that may pass the data folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const folders = prepareFolders(dataDir, options.native);
  const { native, root, cluster, socketDir, owner } = folders;
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialize(native, root, cluster, owner);
  configure(folders, options.settings);

  const connection = embeddedConnection(dataDir);
  const asSuperuser = superuserConnection(dataDir);
  let stopping = false;
  let server = await launch();
  await createDatabase(asSuperuser);
  let restarting: Promise<void> = Promise.resolve();
  watch(server);

  function watch({ child, exited }: Running): void {
    exited.then(() => {
      if (stopping) return;
      const how = child.signalCode ?? `code ${child.exitCode}`;
      log('error', `PostgreSQL stopped unexpectedly (${how}); starting it again`);
      restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    for (let delay = 25; !stopping; delay = Math.min(delay * 2, 5_000)) {
      try {
        server = await launch();
        watch(server);
        if (!stopping) log('info', 'PostgreSQL is running again');
        return;
      } catch (error) {
        if (stopping) return;
        log('error', `PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(delay);
      }
    }
  }

  /** Starts the server and waits until it accepts connections. Right after a kill -9 its shared memory may still be in use. */
  async function launch(): Promise<Running> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      await stopOrphan(cluster, log);
      const running = run(join(native, 'bin', 'postgres'), ['-D', cluster], cluster, owner);
      const { child, exited } = running;
      const output = collect(child);
      let hasExited = false;
      exited.then(() => {
        hasExited = true;
      });
      while (!hasExited) {
        const fault = await connectFault(asSuperuser, 'postgres');
        if (fault === undefined) {
          child.stderr?.removeAllListeners('data');
          child.stderr?.on('data', (chunk: Buffer) => {
            if (!stopping) log('warn', `postgres: ${chunk.toString('utf8').trim()}`);
          });
          child.stdout?.resume();
          return running;
        }
        const isRefused = fault.code === INVALID_AUTHORIZATION;
        if (stopping || isRefused || Date.now() > deadline) {
          child.kill('SIGQUIT');
          await exited;
          if (isRefused)
            throw new ConfigError(`DATA_DIR ${dataDir} has a database of another program: ${fault.message}`);
          throw new Error(`not ready after ${START_TIMEOUT_MS / 1000} s: ${output()}`);
        }
        await sleep(10);
      }
      const isTransient = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(output());
      if (!isTransient || Date.now() > deadline) throw new Error(output().trim() || `exit code ${child.exitCode}`);
      await sleep(25);
    }
  }

  return {
    connection,
    async stop() {
      stopping = true;
      await restarting;
      // Fast shutdown: sessions are terminated and everything is written, so that nothing needs recovery.
      server.child.kill('SIGINT');
      const late = setTimeout(() => server.child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
      await server.exited;
      clearTimeout(late);
      if (!socketDir.startsWith(root)) rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

async function initialize(native: string, root: string, cluster: string, owner: Owner | undefined): Promise<void> {
  // Created under another name and then renamed, so that an interrupted start leaves no half-made cluster.
  const draft = join(root, 'cluster.new');
  rmSync(draft, { recursive: true, force: true });
  const args = [
    '-D',
    draft,
    '-U',
    SUPERUSER,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--auth=peer',
    '--no-instructions',
    '-k',
  ];
  const { child, exited } = run(join(native, 'bin', 'initdb'), args, root, owner);
  const output = collect(child);
  await exited;
  if (child.exitCode !== 0) throw new Error(`initdb failed: ${output().trim()}`);
  renameSync(draft, cluster);
}

/** Whether the server accepts connections to a database. */
export async function isReady(connection: pg.PoolConfig, database = DATABASE): Promise<boolean> {
  return (await connectFault(connection, database)) === undefined;
}

/** Why the server accepts no connections to a database. */
async function connectFault(
  connection: pg.PoolConfig,
  database: string,
): Promise<{ code?: string; message: string } | undefined> {
  const client = new pg.Client({ ...connection, database, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(superuser: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    const roles = await client.query('select rolcreaterole from pg_roles where rolname = $1', [ROLE]);
    if (roles.rowCount === 0) await client.query(`create role ${ROLE} login createdb`);
    // It creates the role that executes the statements of POST /v1/sql, and limits it.
    if (!roles.rows[0]?.rolcreaterole) {
      await client.query(`alter role ${ROLE} createrole; grant set on parameter temp_file_limit to ${ROLE}`);
    }
    const databases = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}
