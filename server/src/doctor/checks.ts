import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archivedUntil, newestBackup } from '../backup/index.ts';
import { cellStatus } from '../cells/index.ts';
import { listNewestBlobs, openStorage } from '../files/index.ts';
import type { Config } from '../shared/config.ts';
import { readDiskSpace } from '../shared/disk-space.ts';
import { asControl, type Database } from '../shared/postgres/database.ts';
import { knownMigrations } from '../shared/postgres/migrate.ts';
import { readInstance } from '../shared/secrets/instance.ts';
import { MasterKeys } from '../shared/secrets/master-keys.ts';
import { HOUR } from '../shared/units.ts';

export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'error';
  detail: string;
}

type Result = Omit<Finding, 'check'>;

const ok = (detail: string): Result => ({ status: 'ok', detail });
const warning = (detail: string): Result => ({ status: 'warning', detail });
const failure = (detail: string): Result => ({ status: 'error', detail });

const GIB = 1_073_741_824;
const CLOCK_TOLERANCE_MS = 1_000;
const SLOW_COMMIT_MS = 20;
const FILES_CHECKED = 200;
/** Without these, data that was acknowledged can be lost in a crash. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Checks that need no database. */
export const MACHINE_CHECKS: Record<string, (config: Config) => Promise<Result>> = {
  async configuration({ publicUrl, metricsToken, trustProxy }) {
    if (publicUrl === undefined)
      return warning('PUBLIC_URL is not set: URLs of files and links start with http://localhost.');
    if (publicUrl.startsWith('http://'))
      return warning('PUBLIC_URL is not https: passwords and tokens can be read on the way.');
    if (trustProxy.length === 0) {
      return warning('TRUST_PROXY is not set: behind a proxy, all visitors seem to have its address.');
    }
    return ok(metricsToken === undefined ? 'valid; metrics can be read on this machine only' : 'valid');
  },
  async 'data folder'({ dataDir }) {
    const probe = join(dataDir, `.doctor-${randomUUID()}`);
    try {
      await mkdir(dataDir, { recursive: true });
      await writeFile(probe, '');
      await rm(probe);
    } catch (error) {
      return failure(`DATA_DIR ${dataDir} cannot be written (${(error as { code?: string }).code}).`);
    }
    const { mode } = await stat(dataDir);
    if ((mode & 0o007) !== 0) return warning(`DATA_DIR ${dataDir} is open to other users of this machine.`);
    return ok(dataDir);
  },
  async 'disk space'({ dataDir }) {
    const space = await readDiskSpace(dataDir);
    if (!space) return failure('The disk of DATA_DIR cannot be read.');
    const detail = `${(space.free / GIB).toFixed(1)} of ${(space.total / GIB).toFixed(1)} GiB free`;
    if (space.free < GIB / 2) return failure(`${detail}: the database stops when the disk is full.`);
    return space.free < Math.min(space.total * 0.1, 20 * GIB) ? warning(detail) : ok(detail);
  },
  async 'file storage'(config) {
    const storage = openStorage(config);
    const folder = join(storage.uploadsFolder, `${randomUUID()}.${randomUUID()}`);
    const key = `doctor/${randomUUID()}`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'file'), 'probe');
      await storage.put(join(folder, 'file'), key, 'text/plain');
      const bytes = await storage.size(key);
      await storage.delete(key);
      return bytes === 5
        ? ok('a file was written, read and deleted')
        : failure('A file that was written is not there.');
    } catch (error) {
      return failure(`A file cannot be written: ${describe(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  },
  async backups(config) {
    const { url, everyHours } = config.backup;
    if (url === undefined) return warning('BACKUP_URL is not set: no automatic backups are made.');
    try {
      const newest = await newestBackup(config);
      if (!newest) return warning('There is no backup at BACKUP_URL yet.');
      const hours = (Date.now() - newest.createdAt.getTime()) / HOUR;
      const detail = `the newest is ${hours.toFixed(1)} hours old`;
      return hours > everyHours * 2 ? failure(`${detail}, although one is due every ${everyHours}.`) : ok(detail);
    } catch (error) {
      return failure(`BACKUP_URL cannot be read: ${describe(error)}`);
    }
  },
  async 'continuous backups'({ backup, dataDir }) {
    const { url, continuous } = backup;
    if (url === undefined || continuous === undefined) return ok('off');
    try {
      const until = await archivedUntil(url, dataDir);
      if (!until) return warning('No log of the database is archived yet.');
      const seconds = Math.round((Date.now() - until.getTime()) / 1_000);
      const detail = `the archived log reaches to ${seconds} s ago`;
      return seconds > Math.max(600, continuous.everySeconds * 5) ? failure(`${detail}.`) : ok(detail);
    } catch (error) {
      return failure(`BACKUP_URL cannot be read: ${describe(error)}`);
    }
  },
  async service({ port }) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(3_000) });
      const { status } = (await response.json()) as { status: string };
      return response.ok
        ? ok(`ready on port ${port}`)
        : failure(`The service on port ${port} is not ready: ${status}.`);
    } catch {
      return warning(`No service responds on port ${port}.`);
    }
  },
};

/** Checks of the database, which is reachable. */
export const DATABASE_CHECKS: Record<string, (db: Database, config: Config) => Promise<Result>> = {
  async 'database version'(db) {
    const { rows } = await db.query(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    );
    if (rows[0].number < 150_000) return failure(`PostgreSQL ${rows[0].version}: 15 or newer is required.`);
    return ok(`PostgreSQL ${rows[0].version}`);
  },
  async schema(db) {
    const { rows: exists } = await db.query("select to_regclass('migrations') is not null as used");
    if (!exists[0].used) return warning('The database is empty: the service has not been started yet.');
    const { rows } = await db.query<{ name: string; checksum: string }>('select name, checksum from migrations');
    const known = knownMigrations();
    const applied = new Set(rows.map(({ name }) => name));
    const newer = rows.filter(({ name }) => !known.has(name));
    if (newer.length > 0)
      return failure('The database belongs to a newer version of the service: install that version or a newer one.');
    if (rows.some(({ name, checksum }) => known.get(name) !== checksum)) {
      return failure(
        'The database was written by a development version whose data cannot be upgraded: use an empty database.',
      );
    }
    const pending = [...known.keys()].filter((name) => !applied.has(name));
    return pending.length > 0 ? warning(`The next start runs ${pending.length} migrations.`) : ok('up to date');
  },
  async durability(db) {
    const { rows } = await db.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [DURABILITY],
    );
    const off = rows.filter(({ setting }) => setting === 'off' || setting === 'local').map(({ name }) => name);
    if (off.length > 0) return failure(`${off.join(', ')} is off: a crash can lose data that was acknowledged.`);
    return ok(`${DURABILITY.join(', ')} are on`);
  },
  async integrity(db) {
    const { rows } = await db.query(
      `select current_setting('data_checksums') as checksums,
         (select coalesce(sum(checksum_failures), 0)::int from pg_stat_database) as failures,
         (select coalesce(string_agg(indexrelid::regclass::text, ', '), '') from pg_index
           where not indisvalid and indrelid::regclass::text !~ '^pg_') as invalid`,
    );
    const { checksums, failures, invalid } = rows[0];
    if (failures > 0) return failure(`PostgreSQL found ${failures} damaged pages: restore a backup.`);
    if (invalid !== '') return failure(`Invalid indexes: ${invalid}. Run reindex index concurrently.`);
    return checksums === 'on'
      ? ok('no damaged page')
      : warning('The database has no data checksums: damage is not noticed.');
  },
  async connections(db, { poolSize }) {
    const { rows } = await db.query(
      `select current_setting('max_connections')::int as max,
         (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
    );
    const { max, used } = rows[0];
    const detail = `${used} of ${max} in use, up to ${poolSize} and a few for each process of the service`;
    return used + poolSize > max ? warning(detail) : ok(detail);
  },
  async clock(db) {
    const sent = Date.now();
    const { rows } = await db.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now');
    const difference = rows[0].now - (sent + Date.now()) / 2;
    const detail = `${Math.round(Math.abs(difference))} ms from the clock of the database`;
    return Math.abs(difference) > CLOCK_TOLERANCE_MS ? failure(`${detail}: synchronize the clocks.`) : ok(detail);
  },
  async latency(db) {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      await db.query('select 1');
      times.push(performance.now() - start);
    }
    const median = times.sort((a, b) => a - b)[5] ?? 0;
    const detail = `${median.toFixed(1)} ms for a query`;
    return median > SLOW_COMMIT_MS ? warning(`${detail}: run the service near its database.`) : ok(detail);
  },
  async files(db, config) {
    const { rows: exists } = await db.query("select to_regclass('assets') is not null as used");
    if (!exists[0].used) return ok('none');
    const storage = openStorage(config);
    const missing: string[] = [];
    const blobs = await listNewestBlobs(db, { max: FILES_CHECKED });
    for (const { storage_key, bytes } of blobs) {
      if ((await storage.size(storage_key)) !== bytes) missing.push(storage_key);
    }
    if (missing.length > 0) {
      return failure(
        `${missing.length} of the newest ${blobs.length} files are missing or truncated, such as ${missing[0]}.`,
      );
    }
    return ok(`the newest ${blobs.length} are in the storage`);
  },
  async sql(db) {
    const { rows } = await db.query(
      `select rolsuper or rolcreaterole or exists (select from pg_roles where rolname like 'headwater\\_sql\\_%') as has_role,
         has_database_privilege(current_database(), 'create') as may_create,
         has_parameter_privilege('temp_file_limit', 'set') as limits_files
       from pg_roles where rolname = current_user`,
    );
    const { has_role, may_create, limits_files } = rows[0];
    if (!has_role) return warning('POST /v1/sql is not available: the user of the database needs CREATEROLE.');
    if (!may_create)
      return warning('POST /v1/sql is not available: the user of the database may not create schemas in it.');
    return limits_files
      ? ok('statements can be executed')
      : warning('Statements of POST /v1/sql may fill the disk: grant set on parameter temp_file_limit to the user.');
  },
  async 'master key'(db, config) {
    const { rows: exists } = await db.query("select to_regclass('data_keys') is not null as used");
    if (!exists[0].used) return ok('none');
    const keys = new MasterKeys(config);
    await readInstance(db, keys);
    return ok(`${keys.newest}, in ${keys.place}; keep a copy apart from the backups`);
  },
  async cells(db, config) {
    const { rows: exists } = await db.query("select to_regclass('cells') is not null as used");
    if (!exists[0].used) return ok('none');
    const { cells } = await cellStatus(asControl(db), (await readInstance(db, new MasterKeys(config))).secret);
    const away = cells.filter(({ status }) => status !== 'ok').map(({ name }) => name);
    if (away.length > 0) return failure(`Their databases do not respond: ${away.join(', ')}.`);
    return ok(`${cells.length} ${cells.length === 1 ? 'responds' : 'respond'}`);
  },
};

export function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
