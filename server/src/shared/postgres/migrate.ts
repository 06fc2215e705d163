import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import type { Database, Tx } from './database.ts';
import { dropSqlSchema, lockMigrations } from './sql-schema.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');

/** The modules whose tables are in the control database alone; every database has those of `shared`, cells all others. */
export const CONTROL_MODULES: readonly string[] = ['accounts', 'users', 'mail', 'cells'];

/** The control database is also a cell. */
type DatabaseRole = 'control' | 'cell';

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
 * @param only the migrations to run, for a restore of rows with the schema that they had
 */
export async function migrateIn(
  tx: Tx,
  { role = 'control', only }: { role?: DatabaseRole; only?: ReadonlySet<string> | undefined } = {},
): Promise<string[]> {
  const files = migrationsOf(role).filter((name) => only === undefined || only.has(name));
  // Another service may be migrating, and indexing a lot of data takes long.
  await tx.query('set local lock_timeout = 0; set local statement_timeout = 0');
  await lockMigrations(tx);
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
    throw new ConfigError(
      `the database belongs to a newer version of the service (${newer.join(', ')}): install that version or a newer one, or restore the backup from before the upgrade`,
    );
  }
  const ran: string[] = [];
  for (const name of files) {
    const sql = readFileSync(join(FOLDER, name), 'utf8');
    const checksum = checksumOf(sql);
    const known = applied.get(name);
    if (known !== undefined && known !== checksum) {
      throw new ConfigError(
        `the database was written by a development version whose data cannot be upgraded (the migration ${name} was changed since): start that version to export the data, and use an empty database for this one`,
      );
    }
    if (known !== undefined) continue;
    // Views would keep their tables as they are; they are created again by the first statement that reads them.
    if (ran.length === 0) await dropSqlSchema(tx);
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
