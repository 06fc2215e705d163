import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { findLargestAccounts } from '../tracking/index.ts';
import type { Cells } from './cells.ts';
import type { Cell, CellAccounts, CellMove, Cells as CellsResponse } from './contract.ts';
import { type CellRow, findAccountsOfCell, findCell, findCellOfAccount, listCells, nameAccounts } from './directory.ts';
import { roundMeasures } from './measure.ts';
import { ACCOUNT_GATE } from './move/gates.ts';
import { findMove, listMoves, type MoveRow, setMoveState, startMove } from './move/queries.ts';

const MAX_ACCOUNTS = 50;
const UNAVAILABLE = {
  bytes: null,
  recordedPerSecond: null,
  lagSeconds: null,
  queued: null,
  connections: null,
  responseMs: null,
};

/** What operators see in the dashboard: the cells, and the accounts on their way between them. */
export async function readCells({ control }: Deps, cells: Cells): Promise<CellsResponse> {
  const [rows, moves] = await Promise.all([listCells(control), listMoves(control)]);
  const names = await nameAccounts(control, { ids: moves.map((move) => move.account_id) });
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return {
    cells: await Promise.all(rows.map((row) => measured(cells, row))),
    moves: moves.map((move) => serializeMove(move, nameOf.get(move.account_id) ?? '')),
  };
}

async function measured(cells: Cells, row: CellRow): Promise<Cell> {
  const known = { name: row.name, isOpen: row.is_open, accounts: row.accounts, createdAt: isoTime(row.created_at) };
  try {
    const db = await databaseOf(cells, row.name);
    if (!db) return { ...known, status: 'unavailable', ...UNAVAILABLE };
    return { ...known, status: 'ok', ...roundMeasures(await cells.meter.measureLoad(row.name, db)) };
  } catch {
    return { ...known, status: 'unavailable', ...UNAVAILABLE };
  }
}

/** The database of a cell, if it responds. */
async function databaseOf(cells: Cells, name: string): Promise<Database | undefined> {
  const db = cells.databases().get(name) ?? (await cells.open(name)).db;
  return (await db.isAlive()) ? db : undefined;
}

/** @throws ApiError 404 */
export async function readAccountsOfCell({ control }: Deps, cells: Cells, name: string, q = ''): Promise<CellAccounts> {
  if ((await findCell(control, { name })).length === 0) throw notFound('cell');
  const largest = await databaseOf(cells, name)
    .then((db) => (db ? findLargestAccounts(db) : new Map<string, number>()))
    .catch(() => new Map<string, number>());
  const first = [...largest].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await findAccountsOfCell(control, {
    cell: name,
    first,
    pattern,
    id: parseId('acc', q) ?? null,
    most: MAX_ACCOUNTS,
  });
  return {
    accounts: rows.map((row) => ({
      id: publicId('acc', row.id),
      name: row.name,
      createdAt: isoTime(row.created_at),
      recorded: largest.get(row.id) ?? null,
    })),
  };
}

/**
 * Starts a move, which a process carries out in the background.
 * @throws ApiError 404; 400 `account_in_cell`, or `move_unfinished` while it is on its way to another cell
 */
export async function requestMove({ control, clock }: Deps, account: string, cell: string): Promise<CellMove> {
  const id = parseId('acc', account);
  const [found] = id === undefined ? [] : await findCellOfAccount(control, { account_id: id });
  if (id === undefined || !found) throw notFound('account');
  if ((await findCell(control, { name: cell })).length === 0) throw notFound('cell');
  await startMove(control, { account_id: id, to_cell: cell, now: new Date(clock()), channel: ACCOUNT_GATE });
  const [move] = await findMove(control, { account_id: id });
  if (!move) throw badRequest('account_in_cell', `The account is in the cell ${found.cell} already.`);
  if (move.to_cell !== cell) {
    throw badRequest('move_unfinished', `The account is on its way to the cell ${move.to_cell}. Cancel that first.`);
  }
  return named(control, move);
}

/** Cancels a move: the process that carries it out deletes the copy. @throws ApiError 404; 400 `move_switched` */
export async function requestCancel({ control }: Deps, account: string): Promise<CellMove> {
  const id = parseId('acc', account);
  const [move] = id === undefined ? [] : await findMove(control, { account_id: id });
  if (id === undefined || !move) throw notFound('move');
  const from = ['copying', 'following', 'switching', 'canceling'];
  const [canceled] = await setMoveState(control, { account_id: id, from, to: 'canceling' });
  if (!canceled) throw badRequest('move_switched', 'The account is in the new cell already.');
  return named(control, canceled);
}

async function named(control: Deps['control'], move: MoveRow): Promise<CellMove> {
  const [account] = await nameAccounts(control, { ids: [move.account_id] });
  return serializeMove(move, account?.name ?? '');
}

const serializeMove = (move: MoveRow, name: string): CellMove => ({
  account: publicId('acc', move.account_id),
  name,
  from: move.from_cell,
  to: move.to_cell,
  state: move.state,
  error: move.error,
  startedAt: isoTime(move.started_at),
});
