import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { openStorage, type Storage } from '../files/index.ts';
import { type Config, ConfigError } from '../shared/config.ts';
import type { Database } from '../shared/postgres/database.ts';
import { knownMigrations, migrateIn } from '../shared/postgres/migrate.ts';
import { hashing } from './copy-files.ts';
import { TableLoader } from './copy-tables.ts';
import { type DatabaseDescription, quote } from './describe-database.ts';
import { decryption } from './encryption.ts';
import type { FileLine, Footer, Header } from './format.ts';
import { type BackupSource, readBackup } from './source.ts';

export interface RestoreResult {
  name: string;
  createdAt: string;
  version: string;
  rows: number;
  files: number;
  fileBytes: number;
  /** Files that the backup contains damaged. */
  damaged: string[];
}

/**
 * Restores a backup of this or an earlier version into an empty database and storage. The database changes in one
 * transaction: after a failure it is as empty as before, and the restore can be repeated.
 * @throws ConfigError if the database is not empty, or the backup cannot be used
 */
export async function restoreBackup(
  db: Database,
  config: Config,
  source: BackupSource,
  identity: string | undefined,
): Promise<RestoreResult> {
  const client = await db.connect('headwater restore');
  const to = openStorage(config);
  let header: Header | undefined;
  let loader: TableLoader | undefined;
  let indexes: string[] = [];
  const damaged: string[] = [];
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await refuseUnlessEmpty(client);
    const footer = await readBackup(source, identity, {
      async header(found) {
        header = found;
        indexes = await createSchema(client, found);
        loader = new TableLoader(client, found.database.tables);
      },
      rows: async (table, content) => loader?.write(table, content),
      async file(line, open) {
        const isIntact = await restoreFile(to, line, await open(), identity);
        if (!isIntact) damaged.push(line.key);
      },
    });
    await loader?.end();
    for (const [name, { rows }] of Object.entries(footer.tables)) {
      const restored = loader?.rows.get(name) ?? 0;
      if (restored !== rows) throw new Error(`the table ${name} has ${restored} rows instead of ${rows}`);
    }
    for (const definition of indexes) await client.query(definition);
    for (const { name, value, isCalled } of header?.database.sequences ?? []) {
      await client.query('select setval($1::regclass, $2, $3)', [quote(name), value, isCalled]);
    }
    await migrateIn(client);
    await client.query('commit');
    await client.query('analyze');
    return resultOf(source, header, footer, damaged);
  } finally {
    // Ends the transaction, unless it was committed.
    await client.end().catch(() => {});
  }
}

function resultOf(
  { name }: BackupSource,
  header: Header | undefined,
  footer: Footer,
  damaged: string[],
): RestoreResult {
  return {
    name,
    createdAt: header?.createdAt ?? '',
    version: header?.version ?? '',
    rows: Object.values(footer.tables).reduce((sum, { rows }) => sum + rows, 0),
    files: footer.files,
    fileBytes: footer.fileBytes,
    damaged,
  };
}

async function refuseUnlessEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query("select to_regclass('migrations') is not null as used");
  if (rows[0].used) throw new ConfigError('The database is not empty. Restore into an empty DATA_DIR or DATABASE_URL.');
}

/** Creates the schema as it was when the backup was made. @returns the indexes to create once the rows are there */
async function createSchema(client: pg.ClientBase, { database, version }: Header): Promise<string[]> {
  const known = knownMigrations();
  const unknown = database.migrations.filter(({ name, checksum }) => known.get(name) !== checksum);
  if (unknown.length > 0) {
    throw new ConfigError(
      `The backup was made by version ${version}, whose schema this version does not know. Install that version or a newer one.`,
    );
  }
  await migrateIn(client, { upTo: database.migrations.at(-1)?.name });
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
  { key, name, mediaType, sha256 }: FileLine,
  content: AsyncIterable<Uint8Array>,
  identity: string | undefined,
): Promise<boolean> {
  if (!/^[\w-]+\/[\w.-]+$/.test(key)) throw new ConfigError(`The backup has a file with the invalid key ${key}.`);
  const folder = join(to.uploadsFolder, `${randomUUID()}.${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  const { stage, digest } = hashing();
  try {
    const isEncrypted = name?.endsWith('.age') === true && identity !== undefined;
    const plain = isEncrypted ? decryption(identity)(content) : content;
    await pipeline(stage(plain), createWriteStream(join(folder, 'file')));
    await to.put(join(folder, 'file'), key, mediaType);
    return digest() === sha256;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
