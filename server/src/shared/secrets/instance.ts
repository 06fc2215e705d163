import { randomBytes, randomUUID } from 'node:crypto';
import { ConfigError } from '../config.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { sessionKeyOf } from '../session-ids.ts';
import type { MasterKeys } from './master-keys.ts';
import { KEY_BYTES } from './seal.ts';
import { dataKeyContext } from './vault.ts';

/** What the database says of the installation. */
export interface Instance {
  /** See `Deps.secret`. */
  secret: Buffer;
  /** See `sessionIdsOf`. */
  sessionKey: Buffer;
}

interface InstanceRow {
  cell: string;
  /** Of a database that a version before master keys has used. */
  secret: Buffer | null;
  /** The columns are missing before the migration. */
  installation?: string | null;
  wrapped_secret?: Buffer | null;
  master_key?: string | null;
  session_key?: Buffer | null;
}

const SECRET = 'the secret of the installation';
const REWRAPPED_AT_ONCE = 500;

/** @throws ConfigError for a database that the service has never used */
async function readRow(tx: Tx, lock = ''): Promise<InstanceRow> {
  const { rows } = await tx.query(`select * from instance ${lock}`).catch((cause: { code?: string }) => {
    if (cause.code !== '42P01') throw cause;
    throw new ConfigError('the database is empty: start the service once', { cause });
  });
  return rows[0];
}

function instanceOf(row: InstanceRow, keys: MasterKeys): Instance {
  const { wrapped_secret: wrapped, master_key } = row;
  const secret = wrapped && master_key ? keys.unwrap({ wrapped, master_key }, SECRET) : row.secret;
  if (!secret) throw new ConfigError('the database is a cell: name the control database');
  return { secret, sessionKey: row.session_key ?? sessionKeyOf(secret) };
}

/** Reads a control database as it is, also one that was not migrated. @throws ConfigError if it was never used, or its key is missing */
export async function readInstance(tx: Tx, keys: MasterKeys): Promise<Instance> {
  return instanceOf(await readRow(tx), keys);
}

/**
 * Reads a control database. One whose secret is not encrypted with a master key yet gets one: at the first start, and in an upgrade from a
 * version that stored the secret itself.
 * @param isNew whether the database was created just now: then its secret never was in it
 * @throws ConfigError if its master key is missing
 */
export async function openInstance(db: Database, keys: MasterKeys, isNew = false): Promise<Instance> {
  const row = await readRow(db);
  if (row.master_key) return instanceOf(row, keys);
  const instance = await db.transaction(async (tx) => {
    const current = await readRow(tx, 'for update');
    if (current.master_key) return instanceOf(current, keys);
    const secret = isNew ? randomBytes(KEY_BYTES) : current.secret;
    if (!secret) throw new Error('the database has no secret');
    return store(tx, secret, current.session_key ?? sessionKeyOf(secret), keys);
  });
  // The page still contains the old row.
  await db.query('vacuum full instance');
  return instance;
}

async function store(tx: Tx, secret: Buffer, session_key: Buffer, keys: MasterKeys): Promise<Instance> {
  const { wrapped, master_key } = keys.wrap(secret, SECRET);
  await tx.query(
    `update instance set secret = null, wrapped_secret = $1, master_key = $2, session_key = $3,
       installation = coalesce(installation, $4)`,
    [wrapped, master_key, session_key, randomUUID()],
  );
  return { secret, sessionKey: session_key };
}

/**
 * Makes the database of a cell, which was migrated in this transaction, one of this installation.
 * @param isNew whether it was empty
 * @throws ConfigError if it is that of another cell or another installation
 */
export async function joinInstallation(
  tx: Tx,
  control: Tx,
  cell: string,
  secret: Buffer,
  isNew: boolean,
): Promise<void> {
  const { installation, master_key } = await readRow(control);
  const row = await readRow(tx);
  const isOurs = row.installation ? row.installation === installation : row.secret?.equals(secret);
  if (!isNew && !isOurs) throw new ConfigError(`the database of the cell ${cell} belongs to another installation`);
  if (!isNew && row.cell !== cell) throw new ConfigError(`the database of the cell ${cell} is the cell ${row.cell}`);
  if (isNew || !row.installation || !row.master_key) {
    await tx.query(
      'update instance set secret = null, cell = $1, installation = $2, master_key = coalesce(master_key, $3)',
      [cell, installation, master_key],
    );
  }
}

/**
 * Encrypts what a database has encrypted with earlier master keys with the newest one, while processes use it. It may be repeated after an
 * interruption.
 * @returns how many data keys changed
 */
export async function rewrap(db: Database, keys: MasterKeys): Promise<number> {
  const to = keys.ensure();
  await db.transaction(async (tx) => {
    const { wrapped_secret, master_key } = await readRow(tx, 'for update');
    if (master_key === to) return;
    if (wrapped_secret && master_key) {
      const secret = keys.unwrap({ wrapped: wrapped_secret, master_key }, SECRET);
      await tx.query('update instance set wrapped_secret = $1', [keys.wrap(secret, SECRET, to).wrapped]);
    }
    await tx.query('update instance set master_key = $1', [to]);
  });
  let count = 0;
  for (let changed = REWRAPPED_AT_ONCE; changed === REWRAPPED_AT_ONCE; count += changed) {
    changed = await db.transaction((tx) => rewrapSome(tx, keys, to));
  }
  return count;
}

async function rewrapSome(tx: Tx, keys: MasterKeys, to: string): Promise<number> {
  const { rows } = await tx.query(
    'select account_id, wrapped, master_key from data_keys where master_key <> $1 order by account_id limit $2 for update',
    [to, REWRAPPED_AT_ONCE],
  );
  const wrapped = rows.map(({ account_id, ...row }) => {
    const context = dataKeyContext(account_id);
    return keys.wrap(keys.unwrap(row, context), context, to).wrapped;
  });
  await tx.query(
    `update data_keys k set wrapped = w.wrapped, master_key = $3
     from unnest($1::uuid[], $2::bytea[]) as w (account_id, wrapped) where k.account_id = w.account_id`,
    [rows.map(({ account_id }) => account_id), wrapped, to],
  );
  return rows.length;
}

/** What cannot be read any more. */
export interface Lost {
  /** The id of the master key. */
  masterKey: string;
  /** Accounts whose secrets are lost. */
  accounts: number;
}

/**
 * Gives up what a lost master key has encrypted in a database: a control database gets a new secret, and accounts get new data keys with the next
 * secrets that are entered. IDs of sessions stay the same. Does nothing if the key is known.
 */
export async function giveUpLost(tx: Tx, keys: MasterKeys): Promise<Lost | undefined> {
  const { rows: columns } = await tx.query("select to_regclass('data_keys') is not null as known");
  if (!columns[0].known) return undefined;
  const { master_key, wrapped_secret, session_key } = await readRow(tx, 'for update');
  const { rows: unknown } = await tx.query('select distinct master_key from data_keys');
  const lost = [...unknown.map((row) => row.master_key), master_key].filter((id) => id && !keys.has(id));
  if (lost.length === 0) return undefined;
  const { rowCount } = await tx.query('delete from data_keys where master_key = any($1)', [lost]);
  if (master_key && lost.includes(master_key)) {
    if (wrapped_secret && session_key) await store(tx, randomBytes(KEY_BYTES), session_key, keys);
    else await tx.query('update instance set master_key = $1', [keys.ensure()]);
  }
  return { masterKey: lost[0], accounts: rowCount ?? 0 };
}
