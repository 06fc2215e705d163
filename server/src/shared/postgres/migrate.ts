import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import type { Database, Tx } from './database.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');

/** The modules whose tables are in the control database alone; every database has those of `shared`, cells all others. */
export const CONTROL_MODULES: readonly string[] = ['accounts', 'users', 'mail', 'cells'];

/** The control database is also a cell. */
export type DatabaseRole = 'control' | 'cell';

/** An arbitrary number: services that start at the same time queue behind this lock, for each schema of a database. */
const LOCK = 7_205_611_394_117;

/**
 * Migrates the database to the newest schema: runs each new file of `server/migrations`, in order, in one transaction that
 * also records their names. Forward only; a file that was edited after it ran stops the start.
 * @returns the names of the migrations that ran
 * @throws ConfigError for a database that this version cannot use
 */
export function migrate(db: Database, role: DatabaseRole = 'control'): Promise<string[]> {
  return db.transaction((tx) => migrateIn(tx, { role }));
}

/**
 * As `migrate`, in a transaction.
 * @param upTo the last migration to run, for a restore of rows with the schema that they had
 */
export async function migrateIn(
  tx: Tx,
  { role = 'control', upTo }: { role?: DatabaseRole; upTo?: string | undefined } = {},
): Promise<string[]> {
  const files = migrationsOf(role).filter((name) => upTo === undefined || name <= upTo);
  // Another service may be migrating, and indexing a lot of data takes long.
  await tx.query('set local lock_timeout = 0; set local statement_timeout = 0');
  await tx.query("select pg_advisory_xact_lock($1::bigint + hashtext(coalesce(current_schema(), '')))", [LOCK]);
  const { rows: version } = await tx.query("select current_setting('server_version_num')::int as number");
  if (version[0].number < 150_000) throw new ConfigError('PostgreSQL 15 or newer is required');
  await tx.query(
    `create table if not exists migrations (
         name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
  );
  const { rows } = await tx.query('select name, checksum from migrations');
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const newer = [...applied.keys()].filter((name) => !files.includes(name));
  if (newer.length > 0) {
    throw new ConfigError(`the database belongs to a newer version of the service (${newer.join(', ')})`);
  }
  const ran: string[] = [];
  for (const name of files) {
    const sql = readFileSync(join(FOLDER, name), 'utf8');
    const checksum = checksumOf(sql);
    const known = applied.get(name);
    if (known !== undefined && known !== checksum) {
      throw new ConfigError(`the migration ${name} was changed after it ran on this database`);
    }
    if (known !== undefined) continue;
    await tx.query(sql);
    await tx.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    ran.push(name);
  }
  return ran;
}

function migrationsOf(role: DatabaseRole): string[] {
  const isNeeded = (name: string) => role === 'control' || !CONTROL_MODULES.includes(moduleOf(name));
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql') && isNeeded(name))
    .sort();
}

/** The module of a migration: `tracking` of `000004-tracking.sql`. */
export function moduleOf(migration: string): string {
  return migration.replace(/^\d+-|\.sql$/g, '');
}

/** The migrations of this version. */
export function knownMigrations(): Map<string, string> {
  const names = migrationsOf('control');
  return new Map(names.map((name) => [name, checksumOf(readFileSync(join(FOLDER, name), 'utf8'))]));
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}
