import type pg from 'pg';
import { portableColumns } from '../analytics/index.ts';
import type { CellConnection } from '../cells/index.ts';
import { SUM_TABLES } from '../experiments/index.ts';
import { CACHE_TABLES, listAssetBlobs } from '../files/index.ts';
import { ConfigError } from '../shared/config.ts';
import { MAIN } from '../shared/main-cell.ts';
import { BACKUP_LOCK } from '../shared/postgres/backup-lock.ts';
import { openDatabase } from '../shared/postgres/database.ts';
import type { ListedBlob } from './copy-files.ts';
import { copyTable, type TableContent } from './copy-tables.ts';
import { type DatabaseDescription, describeDatabase } from './describe-database.ts';

const DERIVED_TABLES = [...CACHE_TABLES, ...SUM_TABLES];

/** The database of a cell, locked for a backup. */
export interface LockedCell {
  cell: string;
  client: pg.Client;
}

/** Adds an entry to the archive. */
type Add = (name: string, content: Buffer | string) => Promise<void>;

/**
 * Connects to the databases and keeps the files that they refer to from being deleted, until the connections are closed.
 * Unavailable cells are left out: one that is down does not prevent the backup of the others.
 * @throws ConfigError if another backup is running
 */
export async function lockCells(cells: CellConnection[]): Promise<{ locked: LockedCell[]; away: string[] }> {
  const locked: LockedCell[] = [];
  const away: string[] = [];
  try {
    for (const { cell, connection } of cells) {
      const client = await connect(connection).catch((error: unknown) => {
        if (cell === MAIN || cells.length === 1) throw error;
        away.push(cell);
      });
      if (!client) continue;
      locked.push({ cell, client });
      await lock(client, locked);
    }
    return { locked, away };
  } catch (error) {
    await unlockCells(locked);
    throw error;
  }
}

export async function unlockCells(locked: LockedCell[]): Promise<void> {
  await Promise.all(locked.map(({ client }) => client.end().catch(() => {})));
}

async function connect(connection: pg.PoolConfig): Promise<pg.Client> {
  const db = openDatabase(connection, 1, () => {});
  try {
    return await db.connect('headwater backup');
  } finally {
    await db.close();
  }
}

/** The lock belongs to a database, which may contain several cells in schemas. */
async function lock(client: pg.Client, locked: LockedCell[]): Promise<void> {
  const pids: number[] = [];
  for (const each of locked) pids.push((await each.client.query('select pg_backend_pid() as pid')).rows[0].pid);
  const { rows } = await client.query(
    `select pg_try_advisory_lock($1) or exists (
       select from pg_locks where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1
         and database = (select oid from pg_database where datname = current_database()) and pid = any($2)) as locked`,
    [BACKUP_LOCK, pids],
  );
  if (!rows[0].locked) throw new ConfigError('another backup of this database is running');
}

/**
 * Takes the snapshots of all databases, within milliseconds, that of the control database last: then no account is in it
 * whose deletion a cell has begun.
 */
export async function takeSnapshots(locked: LockedCell[]): Promise<(DatabaseDescription & { cell: string })[]> {
  for (const { client } of locked.toReversed()) {
    await client.query('begin isolation level repeatable read, read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    // The first query takes the snapshot: on Citus, that of the node with the tables.
    await client.query('select from instance');
  }
  const described: (DatabaseDescription & { cell: string })[] = [];
  for (const { cell, client } of locked) {
    const { tables, ...database } = await describeDatabase(client);
    described.push({ cell, ...database, tables: tables.filter(({ name }) => !DERIVED_TABLES.includes(name)) });
  }
  return described;
}

/** Copies the rows of all databases. Each snapshot ends here: it keeps PostgreSQL from cleaning up. */
export async function copyRows(
  locked: LockedCell[],
  databases: (DatabaseDescription & { cell: string })[],
  add: Add,
  onBlob: (line: string) => Promise<void>,
): Promise<Record<string, TableContent>> {
  const tables: Record<string, TableContent> = {};
  for (const { cell, client } of locked) {
    const expressions = await portableColumns(client);
    for (const table of databases.find((each) => each.cell === cell)?.tables ?? []) {
      const name = `${cell}/${table.name}`;
      tables[name] = await copyTable(client, table, expressions, (chunk, number) =>
        add(`tables/${name}/${String(number).padStart(6, '0')}.copy`, chunk),
      );
    }
    for await (const line of listBlobs(client, cell)) await onBlob(line);
    await client.query('commit');
  }
  return tables;
}

/** The blobs of all assets of a cell, as lines of JSON. */
export async function* listBlobs(client: pg.Client, cell: string): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listAssetBlobs(client, { after, max: 1_000 });
    for (const { storage_key, media_type, sha256, bytes } of page) {
      const blob: ListedBlob = {
        cell,
        key: storage_key,
        mediaType: media_type,
        bytes,
        sha256: sha256?.toString('hex') ?? null,
      };
      yield `${JSON.stringify(blob)}\n`;
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.storage_key;
  }
}
