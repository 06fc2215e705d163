import type pg from 'pg';
import { ConfigError } from '../shared/config.ts';
import { CITUS_OPTIONS, distributeIfCitus, placementLockOf } from '../shared/postgres/citus.ts';
import { type Database, openDatabase, type Patience, type Tx } from '../shared/postgres/database.ts';
import { migrateIn } from '../shared/postgres/migrate.ts';
import { FIRST_MIGRATION } from '../shared/postgres/open-store.ts';
import { joinInstallation } from '../shared/secrets/instance.ts';

/**
 * Requests of a cell that refuses connections fail within a second. On a busy machine, opening one may take longer, so a cell
 * whose machine does not respond at all is known to be unavailable later; see docs/decisions/0027-cells.md.
 */
const PATIENCE = { reconnectMs: 700, connectMs: 2_500, failsFast: true };

interface CellConnections {
  connection: pg.PoolConfig;
  replica: pg.PoolConfig | undefined;
  schema: string | undefined;
}

/**
 * How to connect to a cell: its URL, in which `schema` may name the schema of its tables, and `replica` the URL of a replica. A schema comes before `public`,
 * which contains the extensions.
 * @throws ConfigError
 */
export function connectionOf(cell: string, url: string): CellConnections {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new ConfigError(`the URL of the cell ${cell} must start with postgres://`);
  }
  const schema = parsed.searchParams.get('schema') ?? undefined;
  const replicaUrl = parsed.searchParams.get('replica') ?? undefined;
  if (replicaUrl !== undefined && !/^postgres(ql)?:\/\//.test(replicaUrl)) {
    throw new ConfigError(`the URL of the replica of the cell ${cell} must start with postgres://`);
  }
  parsed.searchParams.delete('replica');
  const replicaOf = (options: pg.PoolConfig) => replicaUrl && { ...options, connectionString: replicaUrl };
  if (schema === undefined) {
    // As it was given: the parser would not keep the URL of a socket.
    const connectionString = replicaUrl === undefined ? url : parsed.href;
    return { connection: { connectionString }, replica: replicaOf({}) || undefined, schema };
  }
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || ['public', 'pg_catalog'].includes(schema)) {
    throw new ConfigError(`the schema of the cell ${cell} must have a name such as eu_1`);
  }
  parsed.searchParams.delete('schema');
  const options = `-c search_path=${schema},public ${CITUS_OPTIONS}`;
  return {
    connection: { connectionString: parsed.href, options },
    replica: replicaOf({ options: `-c search_path=${schema},public` }) || undefined,
    schema,
  };
}

/**
 * Opens the database of a cell and migrates it. An empty database becomes the cell; one of another instance or another cell
 * is refused.
 * @param patience of requests by default
 * @throws ConfigError
 */
export async function openCell(
  control: Tx,
  cell: string,
  url: string,
  secret: Buffer,
  size: number,
  onError: (error: Error) => void,
  patience: Partial<Patience> = PATIENCE,
): Promise<Database> {
  const { connection, schema } = connectionOf(cell, url);
  const db = openDatabase(connection, size, onError, patience);
  try {
    if (schema !== undefined) await createSchema(db, schema);
    await db.transaction(async (tx) => {
      const ran = await migrateIn(tx, { role: 'cell' });
      const isNew = ran.includes(FIRST_MIGRATION);
      if (isNew) await distributeIfCitus(tx);
      await joinInstallation(tx, control, cell, secret, isNew);
      db.placementLock = await placementLockOf(tx);
    });
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * Opens the database of a cell for a restore, which creates its tables.
 * @throws ConfigError
 */
export async function openEmptyCell(cell: string, url: string): Promise<Database> {
  const { connection, schema } = connectionOf(cell, url);
  const db = openDatabase(connection, 1, () => {}, PATIENCE);
  try {
    if (schema !== undefined) await createSchema(db, schema);
    return db;
  } catch (cause) {
    await db.close();
    throw new ConfigError(`the database of the cell ${cell} cannot be used: ${(cause as Error).message}`, { cause });
  }
}

/** Extensions are in `public`, where every schema of the database finds them. */
async function createSchema(db: Database, schema: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('headwater create schema', 0))");
    await tx.query(`create schema if not exists ${schema}`);
    for (const extension of ['pg_trgm', 'btree_gin']) {
      await tx.query(`create extension if not exists ${extension} schema public`);
    }
  });
}
