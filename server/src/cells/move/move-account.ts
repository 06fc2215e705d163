import { setTimeout as sleep } from 'node:timers/promises';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { HEARTBEAT_TTL_MS } from '../../shared/postgres/listener.ts';
import { findCell, findCellOfAccount } from '../directory.ts';
import { copyAccount, deleteAccountRows, undoLast } from './copy.ts';
import { ACCOUNT_GATE } from './gates.ts';
import { endMove, failMove, findMove, type MoveRow, type MoveState, setMoveState, startMove } from './queries.ts';
import { asOnlyMover, type Move, type MoveDeps, type Side } from './sides.ts';
import { activate, catchUp, switchAccount } from './switch-account.ts';
import { copyPartitions } from './tables.ts';
import { setState, unwatch, watch } from './watch.ts';

/** After an error, a process continues a move after this time. */
const RETRY_AFTER_MS = 30_000;
/** How often the command looks whether the process that carries out the move is done. */
const POLL_MS = 500;

/**
 * Moves an account to another cell while it is used: copies its rows, follows the changes, holds its requests for less than a
 * second to copy the last ones, and switches the directory. The old rows are deleted afterwards. A move that was interrupted,
 * wherever, is continued by the same command or by any running process, or ended by `cancelMove`.
 * @param account public id
 * @throws ApiError 404; 400 `move_unfinished` while it is on its way to another cell
 */
export async function moveAccount(deps: MoveDeps, account: string, toCell: string, onProgress: (step: string) => void) {
  const accountId = await requireAccount(deps, account);
  const { control } = deps;
  if ((await findCell(control, { name: toCell })).length === 0) throw notFound('cell');
  const now = new Date(deps.clock());
  await startMove(control, { account_id: accountId, to_cell: toCell, now, channel: ACCOUNT_GATE });
  const [row] = await findMove(control, { account_id: accountId });
  if (row && row.to_cell !== toCell) {
    const detail = `A move to the cell ${row.to_cell} is unfinished. Repeat or cancel it first.`;
    throw badRequest('move_unfinished', detail);
  }
  await finish(deps, accountId, onProgress);
  const [{ cell } = { cell: '' }] = await findCellOfAccount(control, { account_id: accountId });
  if (cell !== toCell) throw badRequest('move_canceled', 'The move was canceled.');
  return { account, cell };
}

/** Ends a move that has not switched yet, and deletes the copy. @throws ApiError 404 without such a move */
export async function cancelMove(deps: MoveDeps, account: string, onProgress: (step: string) => void = () => {}) {
  const accountId = await requireAccount(deps, account);
  const { control } = deps;
  const [row] = await findMove(control, { account_id: accountId });
  if (!row) throw notFound('move');
  const from: MoveState[] = ['copying', 'following', 'switching', 'canceling'];
  const [canceled] = await setMoveState(control, { account_id: accountId, from, to: 'canceling' });
  if (!canceled)
    throw badRequest('move_switched', 'The account is in the new cell already. Repeat the move to finish it.');
  await finish(deps, accountId, onProgress);
  return { account, cell: row.from_cell };
}

/** Carries out a move, or waits for the process that does. */
async function finish(deps: MoveDeps, accountId: string, onProgress: (step: string) => void): Promise<void> {
  while ((await findMove(deps.control, { account_id: accountId })).length > 0) {
    if (!(await continueMove(deps, accountId, onProgress))) await sleep(POLL_MS);
  }
}

/**
 * Carries out what is left of a move.
 * @returns whether this process did; false: another one does, or it has ended
 */
export async function continueMove(
  deps: MoveDeps,
  accountId: string,
  onProgress: (step: string) => void = () => {},
): Promise<boolean> {
  const { control, clock } = deps;
  const find = async () => (await findMove(control, { account_id: accountId }))[0];
  try {
    const isDone = await asOnlyMover(deps, accountId, find, onProgress, async (move, row) => {
      await carryOut(move, row);
      return true;
    });
    return isDone === true;
  } catch (error) {
    const retry_at = new Date(clock() + RETRY_AFTER_MS);
    await failMove(control, { account_id: accountId, error: (error as Error).message, retry_at }).catch(() => {});
    throw error;
  }
}

async function carryOut(move: Move, row: MoveRow): Promise<void> {
  const { accountId, from, to, tables, onProgress } = move;
  /** @returns false if the move was canceled meanwhile */
  const enter = async (state: MoveState, ...before: MoveState[]) =>
    (await setMoveState(move.lock, { account_id: accountId, from: [state, ...before], to: state })).length > 0;
  if (row.state !== 'switched') {
    if (row.state !== 'canceling') {
      await setState(to.db, accountId, 'arriving');
      await undoLast(move, accountId, tables);
      await setState(from.db, accountId, 'leaving');
    }
    if (row.state === 'copying') {
      // After the states: triggers of accounts without one are dropped by other moves.
      await watch(to.db, to.name, accountId, tables);
      await watch(from.db, from.name, accountId, tables);
      onProgress('Copying');
      await copyPartitions(from.client, to.client);
      await copyAccount(move, accountId, tables);
    }
    const isOn = row.state !== 'canceling' && (await enter('following', 'copying', 'switching'));
    if (isOn) {
      onProgress('Following changes');
      await catchUp(move);
    }
    const isSwitched = isOn && (await enter('switching', 'following')) && (await switchAccount(move));
    if (!isSwitched) return cleanUp(move, to, 'Deleting the copy');
  }
  await activate(move);
  await sleep(move.deps.graceMs ?? HEARTBEAT_TTL_MS);
  await cleanUp(move, from, 'Deleting the old rows');
}

/** Deletes the rows of a side, and ends the move. */
async function cleanUp({ lock, accountId, from, to, tables, onProgress }: Move, side: Side, step: string) {
  onProgress(step);
  if (side === to) await setState(from.db, accountId, 'leaving');
  await setState(side.db, accountId, side === to ? 'arriving' : 'left');
  await deleteAccountRows(side, accountId, tables, side === to ? 'arriving' : 'left');
  for (const { db } of [from, to]) {
    await unwatch(db, accountId);
    await db.query('delete from moved_changes where account_id = $1', [accountId]);
  }
  await endMove(lock, { account_id: accountId, channel: ACCOUNT_GATE });
}

async function requireAccount({ control }: MoveDeps, account: string): Promise<string> {
  const id = parseId('acc', account);
  const [found] = id === undefined ? [] : await findCellOfAccount(control, { account_id: id });
  if (id === undefined || !found) throw notFound('account');
  return id;
}
