import { controlStatement } from '../../shared/postgres/statement.ts';

/**
 * `copying`: nothing can be used yet. `following`: the copy is complete, changes follow. `switching`: changes are fenced.
 * `switched`: the account is in the new cell, and the old rows are to be deleted. `canceling`: the copy is to be deleted.
 */
export type MoveState = 'copying' | 'following' | 'switching' | 'switched' | 'canceling';

export interface MoveRow {
  account_id: string;
  from_cell: string;
  to_cell: string;
  state: MoveState;
  started_at: Date;
  error: string | null;
}

const COLUMNS = 'account_id, from_cell, to_cell, state, started_at, error';
const MOVE = { account_id: 'uuid' } as const;
const NOTIFIED = { ...MOVE, channel: 'text' } as const;

/** Of two moves of an account, the first one is continued. */
export const startMove = controlStatement('cells.start_move', {
  ...NOTIFIED,
  to_cell: 'text',
  now: 'timestamptz',
}).runs(
  `with started as (
     insert into account_moves (account_id, from_cell, to_cell, state, started_at, retry_at)
     select id, cell, :to_cell, 'copying', :now, :now from accounts
     where id = :account_id and cell <> :to_cell and deleted_at is null
     on conflict (account_id) do nothing returning account_id)
   select pg_notify(:channel, account_id::text) from started`,
);

export const findMove = controlStatement('cells.find_move', MOVE).returns<MoveRow>(
  `select ${COLUMNS} from account_moves where account_id = :account_id`,
);

export const listMoves = controlStatement('cells.list_moves', {}).returns<MoveRow>(
  `select ${COLUMNS} from account_moves order by started_at`,
);

/** Moves that a process may continue, if no other one does. */
export const listStoppedMoves = controlStatement('cells.list_stopped_moves', { now: 'timestamptz' }).returns<MoveRow>(
  `select ${COLUMNS} from account_moves where retry_at <= :now order by started_at`,
);

/** Returns nothing if the move is canceled, or has gone further. */
export const setMoveState = controlStatement('cells.set_move_state', {
  ...MOVE,
  from: 'text[]',
  to: 'text',
}).returns<MoveRow>(
  `update account_moves set state = :to, error = null where account_id = :account_id and state = any(:from)
   returning ${COLUMNS}`,
);

export const failMove = controlStatement('cells.fail_move', { ...MOVE, error: 'text', retry_at: 'timestamptz' }).runs(
  'update account_moves set error = :error, retry_at = :retry_at where account_id = :account_id',
);

/** Switches the directory, unless the move was canceled. The notifications are sent with the commit. */
export const switchCell = controlStatement('cells.switch_account', { ...NOTIFIED, keys: 'text' }).returns<{
  cell: string;
}>(
  `with move as (
     update account_moves set state = 'switched' where account_id = :account_id and state = 'switching'
     returning account_id, to_cell),
   switched as (
     update accounts set cell = move.to_cell, moved_at = now() from move where accounts.id = move.account_id returning accounts.id, cell),
   told as (select pg_notify(:keys, id::text), pg_notify(:channel, id::text) from switched)
   select cell from switched, told`,
);

export const endMove = controlStatement('cells.end_move', NOTIFIED).runs(
  `with ended as (delete from account_moves where account_id = :account_id returning account_id)
   select pg_notify(:channel, account_id::text) from ended`,
);

export const listAccountsOfCell = controlStatement('cells.list_accounts', { cell: 'text' }).returns<{ id: string }>(
  'select id from accounts where cell = :cell and deleted_at is null order by id',
);
