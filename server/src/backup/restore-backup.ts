import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { openStorage, type Storage } from '../files/index.ts';
import { type Config, ConfigError } from '../shared/config.ts';
import { MAIN } from '../shared/main-cell.ts';
import { distributeIfCitus } from '../shared/postgres/citus.ts';
import { knownMigrations, migrateIn } from '../shared/postgres/migrate.ts';
import { giveUpLost, type Lost } from '../shared/secrets/instance.ts';
import type { MasterKeys } from '../shared/secrets/master-keys.ts';
import { hashing } from './copy-files.ts';
import { TableLoader } from './copy-tables.ts';
import { type DatabaseDescription, quote } from './describe-database.ts';
import type { FileLine, Footer, Header } from './format.ts';
import { asReadable, type BackupSource, DamagedBackup, readBackup, UnreadableFile } from './source.ts';

export interface RestoreResult {
  name: string;
  createdAt: string;
  version: string;
  cells: string[];
  rows: number;
  files: number;
  fileBytes: number;
  /** Files that the backup location lacks, or has damaged. The rest is restored. */
  damaged: string[];
  /** What the lost master key had encrypted. */
  unreadable?: string;
}

export function describeLost(lost: readonly Lost[]): string {
  const accounts = lost.reduce((sum, each) => sum + each.accounts, 0);
  return `The backup was made with the master key ${lost[0]?.masterKey}, which this installation does not have. Enter these again: credentials of destinations and signing secrets of webhooks (of ${accounts} accounts), authenticator apps and recovery codes, URLs of cells. Mails that were queued are lost, and shared links have new URLs. Or restore again, with the key in SECRET_KEY_FILE.`;
}

interface RestorePlan {
  source: BackupSource;
  /** The private key, for an encrypted backup. */
  identity: string | undefined;
  storage: Pick<Config, 'storageUrl' | 'dataDir'>;
  /** Restores this cell alone. */
  cell?: string | undefined;
  /** Connects to the empty database for a cell. @throws ConfigError if there is none */
  connect(cell: string): Promise<pg.Client>;
  /** The master keys; undefined: what they encrypt is restored without looking at it. */
  keys?: MasterKeys | undefined;
  /** Runs in the control database, before it is committed. */
  finish?(control: pg.Client): Promise<void>;
}

/** A database that is restored, in a transaction. */
interface Draft {
  cell: string;
  client: pg.Client;
  database: DatabaseDescription;
  loader: TableLoader;
  indexes: string[];
}

/**
 * Restores a backup of this or an earlier version into empty databases and an empty storage. Each database changes in one
 * transaction, and they are committed together at the end: after a failure they are as empty as before, and the restore can
 * be repeated.
 * @throws ConfigError if a database is not empty, or the backup cannot be used
 */
export async function restoreBackup(plan: RestorePlan): Promise<RestoreResult> {
  const { source, identity } = plan;
  const to = openStorage(plan.storage);
  let header: Header | undefined;
  const drafts: Draft[] = [];
  const damaged: string[] = [];
  let [files, fileBytes] = [0, 0];
  try {
    const footer = await readBackup(source, identity, {
      async header(found) {
        header = found;
        for (const database of databasesOf(found, plan.cell)) {
          drafts.push(await createDraft(await plan.connect(database.cell), database, found));
        }
      },
      async rows(table, content) {
        const [cell, name = ''] = table.split('/');
        const draft = drafts.find((each) => each.cell === cell);
        if (draft) await draft.loader.write(name, content);
        else await skip(content);
      },
      async file(line, open) {
        if (!drafts.some(({ cell }) => cell === line.cell)) {
          // In an archive it precedes the next entry.
          if (line.name === undefined) await skip(await open());
          return;
        }
        const isIntact = await restoreFile(to, line, open).catch((error: unknown) => {
          if (error instanceof UnreadableFile) return false;
          throw error;
        });
        if (!isIntact) damaged.push(line.key);
        files++;
        fileBytes += line.bytes;
      },
    });
    try {
      for (const draft of drafts) await completeDraft(draft, footer);
    } catch (error) {
      throw asReadable(source, identity, error);
    }
    const lost: Lost[] = [];
    for (const { client } of drafts) {
      const found = plan.keys && (await giveUpLost(client, plan.keys));
      if (found) lost.push(found);
    }
    const control = drafts.find(({ cell }) => cell === MAIN);
    if (control && plan.finish) await plan.finish(control.client);
    for (const { client } of drafts) await client.query('commit');
    for (const { client } of drafts) await client.query('analyze');
    return {
      name: source.name,
      createdAt: header?.createdAt ?? '',
      version: header?.version ?? '',
      cells: drafts.map(({ cell }) => cell).reverse(),
      rows: drafts.reduce((sum, { loader }) => sum + loader.rows.values().reduce((of, rows) => of + rows, 0), 0),
      files,
      fileBytes,
      damaged,
      ...(lost.length > 0 && { unreadable: describeLost(lost) }),
    };
  } finally {
    // Ends the transactions, unless they were committed.
    await Promise.all(drafts.map(({ client }) => client.end().catch(() => {})));
  }
}

/** What is restored, the control database last: the schemas of cells may be in it, and need its extensions. */
function databasesOf({ databases, away }: Header, only: string | undefined): Header['databases'] {
  if (only === undefined && away.length > 0) {
    throw new ConfigError(
      `The backup does not contain the cell ${away.join(', ')}, which was unavailable. Restore the others one by one with --cell.`,
    );
  }
  const found = databases.filter(({ cell }) => only === undefined || cell === only);
  if (found.length > 0) return found.toReversed();
  throw new ConfigError(`The backup does not contain the cell ${only}.`);
}

async function createDraft(
  client: pg.Client,
  database: DatabaseDescription & { cell: string },
  { version }: Header,
): Promise<Draft> {
  const { cell } = database;
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await refuseUnlessEmpty(client, cell);
    const indexes = await createSchema(client, database, version);
    return { cell, client, database, loader: new TableLoader(client, database.tables), indexes };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Indexes and sequences, once the rows are there; then the migrations since the backup. */
async function completeDraft({ cell, client, database, loader, indexes }: Draft, { tables }: Footer): Promise<void> {
  await loader.end();
  for (const { name } of database.tables) {
    const expected = tables[`${cell}/${name}`]?.rows;
    const restored = loader.rows.get(name) ?? 0;
    if (restored === expected) continue;
    throw new DamagedBackup(`the table ${cell}/${name} has ${restored} rows instead of ${expected}`);
  }
  for (const definition of indexes) await client.query(definition);
  for (const { name, value, isCalled } of database.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [quote(name), value, isCalled]);
  }
  await migrateIn(client, { role: roleOf(cell) });
  if (cell !== MAIN) await distributeIfCitus(client);
}

const roleOf = (cell: string) => (cell === MAIN ? 'control' : 'cell');

async function skip(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}

async function refuseUnlessEmpty(client: pg.ClientBase, cell: string): Promise<void> {
  const { rows } = await client.query(
    "select exists (select from pg_class where relnamespace = current_schema()::regnamespace and relname = 'migrations') as used",
  );
  if (!rows[0].used) return;
  throw new ConfigError(
    cell === MAIN
      ? 'The database is not empty. Restore into an empty DATA_DIR or DATABASE_URL.'
      : `The database of the cell ${cell} is not empty. Name an empty one in CELLS.`,
  );
}

/** Creates the schema as it was when the backup was made. @returns the indexes to create once the rows are there */
async function createSchema(
  client: pg.ClientBase,
  database: DatabaseDescription & { cell: string },
  version: string,
): Promise<string[]> {
  const known = knownMigrations();
  const unknown = database.migrations.filter(({ name, checksum }) => known.get(name) !== checksum);
  if (unknown.length > 0) {
    throw new ConfigError(
      `The backup was made by version ${version}, whose schema this version does not know. Install that version or a newer one.`,
    );
  }
  await migrateIn(client, { role: roleOf(database.cell), only: new Set(database.migrations.map(({ name }) => name)) });
  await createPartitions(client, database);
  // Rows that the migrations have inserted.
  for (const { name } of database.tables.toReversed()) await client.query(`delete from ${quote(name)}`);
  const { rows } = await client.query(`
    select quote_ident(c.relname) as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = current_schema()::regnamespace and not t.relispartition
      and not exists (select from pg_constraint k where k.conindid = c.oid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

async function createPartitions(client: pg.ClientBase, { partitions }: DatabaseDescription): Promise<void> {
  for (const { parent, name, bound } of partitions) {
    if (!/^FOR VALUES FROM \('[0-9a-f-]+'\) TO \('[0-9a-f-]+'\)$/.test(bound)) {
      throw new ConfigError(`The partition ${name} has an unknown bound.`);
    }
    await client.query(`create table ${quote(name)} partition of ${quote(parent)} ${bound}`);
  }
}

/** @returns whether the content is that of the upload */
async function restoreFile(
  to: Storage,
  { key, mediaType, sha256 }: FileLine,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<boolean> {
  if (!/^[\w-]+\/[\w.-]+$/.test(key)) throw new ConfigError(`The backup has a file with the invalid key ${key}.`);
  const folder = join(to.uploadsFolder, `${randomUUID()}.${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  const { stage, digest } = hashing();
  try {
    await pipeline(stage(await open()), createWriteStream(join(folder, 'file')));
    await to.put(join(folder, 'file'), key, mediaType);
    return digest() === sha256;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
