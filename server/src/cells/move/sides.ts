import type pg from 'pg';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { MAIN } from '../../shared/main-cell.ts';
import type { ControlTx, Database } from '../../shared/postgres/database.ts';
import { sealedUrls } from '../cells.ts';
import { findCell } from '../directory.ts';
import { openCell } from '../open-cell.ts';
import type { MoveRow } from './queries.ts';
import { listTables, type MovedTable } from './tables.ts';

export interface MoveDeps extends Pick<Deps, 'control' | 'secret' | 'clock'> {
  /** How long the old rows stay after the switch: a process that missed the notification reads them until it notices. */
  graceMs?: number;
}

/** One of the two cells of a move. */
export interface Side {
  name: string;
  db: Database;
  /** Its transactions pass the triggers: see `passing`. */
  client: pg.Client;
}

/** A move as one process carries it out. */
export interface Move {
  deps: MoveDeps;
  /** Holds the lock of the move. */
  lock: pg.Client & ControlTx;
  accountId: string;
  from: Side;
  to: Side;
  tables: MovedTable[];
  onProgress(step: string): void;
}

/**
 * Connects to both cells of a move, and makes sure that no other process carries it out.
 * @returns undefined if another one does
 */
export async function asOnlyMover<T>(
  deps: MoveDeps,
  accountId: string,
  find: () => Promise<MoveRow | undefined>,
  onProgress: (step: string) => void,
  work: (move: Move, row: MoveRow) => Promise<T>,
): Promise<T | undefined> {
  const { control } = deps;
  const opened: (() => Promise<unknown>)[] = [];
  try {
    const lock = await control.connect('headwater move');
    opened.push(() => lock.end());
    const { rows } = await lock.query("select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as is_locked", [
      accountId,
    ]);
    if (!rows[0].is_locked) return undefined;
    // Only now: it may have ended meanwhile.
    const row = await find();
    if (!row) return undefined;
    const side = async (name: string): Promise<Side> => {
      const db = name === MAIN ? control : await openByName(deps, name);
      if (name !== MAIN) opened.push(() => db.close());
      const client = await db.connect('headwater move');
      opened.push(() => client.end());
      await client.query("set time zone 'UTC'; set statement_timeout = 0; set lock_timeout = 0");
      return { name, db, client };
    };
    const from = await side(row.from_cell);
    const to = await side(row.to_cell);
    const tables = await listTables(to.name === MAIN ? from.db : to.db);
    return await work({ deps, lock, accountId, from, to, tables, onProgress }, row);
  } finally {
    for (const close of opened.reverse()) await close().catch(() => {});
  }
}

async function openByName({ control, secret }: MoveDeps, name: string): Promise<Database> {
  const [cell] = await findCell(control, { name });
  if (!cell?.url) throw notFound('cell');
  return openCell(control, name, sealedUrls(secret).open(cell.url, name).toString(), secret, 2, () => {}, {});
}
