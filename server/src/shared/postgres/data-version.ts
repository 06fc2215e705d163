import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { VERSION } from '../version.ts';
import { embeddedMajor } from './cluster-files.ts';
import { knownMigrations } from './migrate.ts';

/** In `DATA_DIR/postgres`: the version that last migrated the data. It is read before the database starts, which changes the folder. */
const MARKER = 'version.json';

interface Marker {
  version: string;
  /** Its newest migration. */
  migration: string;
}

/** PostgreSQL numbers the databases that it does not create itself from here. */
const FIRST_DATABASE = 16_384;

/**
 * Refuses a data folder that this version cannot use, before anything in it changes.
 * @param isUpgrade whether the caller upgrades PostgreSQL
 * @throws ConfigError that says what the folder is and what to do
 */
export function refuseUnusableData(dataDir: string, isUpgrade = false): void {
  const root = join(dataDir, 'postgres');
  const cluster = join(root, 'cluster');
  const newer = newerVersion(root);
  if (newer !== undefined) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} belongs to a newer version of the service (${newer}): install that version or a newer one, or restore the backup from before the upgrade into an empty DATA_DIR`,
    );
  }
  const rules = read(join(cluster, 'pg_hba.conf'));
  // A first start that was interrupted before it wrote its rules has no database yet.
  if (rules !== undefined && !rules.includes('map=service') && hasDatabase(cluster)) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} was written by a development version before 0.1.0, whose data cannot be upgraded: start that version to export the data, and use an empty DATA_DIR for this one`,
    );
  }
  if (isUpgrade) return;
  const major = Number.parseInt(read(join(cluster, 'PG_VERSION')) ?? '', 10);
  if (existsSync(join(dataDir, 'upgrade', 'complete')) || major < embeddedMajor()) {
    throw new ConfigError(
      `the PostgreSQL of DATA_DIR ${dataDir} has to be upgraded: start the service once, which does so, then repeat the command`,
    );
  }
  if (major > embeddedMajor()) {
    throw new ConfigError(`DATA_DIR ${dataDir} belongs to PostgreSQL ${major}: install a newer version of the service`);
  }
}

/** Records that this version has migrated the data. */
export function recordVersion(dataDir: string): void {
  const path = join(dataDir, 'postgres', MARKER);
  const marker: Marker = { version: VERSION, migration: [...knownMigrations().keys()].at(-1) ?? '' };
  const text = `${JSON.stringify(marker)}\n`;
  if (read(path) === text) return;
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

function newerVersion(root: string): string | undefined {
  const text = read(join(root, MARKER));
  if (text === undefined) return undefined;
  try {
    const { version, migration } = JSON.parse(text) as Partial<Marker>;
    return migration === undefined || knownMigrations().has(migration) ? undefined : String(version);
  } catch {
    // The database says it, too.
    return undefined;
  }
}

function hasDatabase(cluster: string): boolean {
  const folder = join(cluster, 'base');
  return existsSync(folder) && readdirSync(folder).some((name) => Number(name) >= FIRST_DATABASE);
}

/** @returns undefined for what cannot be read, which the start reports */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
