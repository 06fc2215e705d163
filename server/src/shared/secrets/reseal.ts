import { FIRST_ID } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { SecretBox } from '../secret-box.ts';
import { MAGIC, type Vault } from './vault.ts';

/** A column of a table of accounts whose values were encrypted with a key of the installation before accounts had data keys. */
interface SealedColumn {
  table: string;
  column: string;
  /** See `SecretPlace`. */
  kind: string;
  /** Of the `SecretBox`, and the context of a value in it. */
  purpose: string;
  contextOf(id: string): string;
}

const PAGE_SIZE = 200;

/**
 * Encrypts the secrets of accounts with their data keys, in short transactions: after an interruption the next start continues. Later starts
 * have nothing to do.
 */
export async function resealSecrets(
  db: Database,
  { vault, secret, log }: { vault: Vault; secret: Buffer; log: Logger },
  columns: readonly SealedColumn[],
): Promise<void> {
  const { rows } = await db.query('select seals_version from instance');
  if (rows[0].seals_version > 0) return;
  for (const column of columns) {
    const box = new SecretBox(secret, column.purpose);
    for (let after: Position | undefined = START; after !== undefined; ) {
      const from: Position = after;
      after = await db.transaction((tx) => resealPage(tx, vault, box, column, from, log));
    }
  }
  await db.query('update instance set seals_version = 1');
}

interface Position {
  account_id: string;
  id: string;
}

const START: Position = { account_id: FIRST_ID, id: FIRST_ID };

/** @returns where the next page begins; undefined: there is none */
async function resealPage(
  tx: Tx,
  vault: Vault,
  box: SecretBox,
  { table, column, kind, contextOf }: SealedColumn,
  after: Position,
  log: Logger,
): Promise<Position | undefined> {
  const { rows } = await tx.query<Position & { sealed: Buffer }>(
    `select account_id, id, ${column} as sealed from ${table}
     where (account_id, id) > ($1, $2) and ${column} is not null and substring(${column} from 1 for ${MAGIC.length}) <> $3
     order by account_id, id limit ${PAGE_SIZE} for update`,
    [after.account_id, after.id, MAGIC],
  );
  for (const { account_id, id, sealed } of rows) {
    const value = opened(box, sealed, contextOf(id));
    if (value === undefined) {
      log.warn({ kind, accountId: account_id, id }, 'a secret cannot be decrypted and has to be entered again');
      continue;
    }
    const resealed = await vault.seal(tx, { accountId: account_id, kind, id }, value);
    await tx.query(`update ${table} set ${column} = $3 where account_id = $1 and id = $2`, [account_id, id, resealed]);
  }
  return rows.length === PAGE_SIZE ? rows.at(-1) : undefined;
}

function opened(box: SecretBox, sealed: Buffer, context: string): Buffer | undefined {
  try {
    return box.open(sealed, context);
  } catch {
    return undefined;
  }
}
