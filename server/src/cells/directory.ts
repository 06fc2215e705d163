import { controlStatement } from '../shared/postgres/statement.ts';

/** Channel of changes of the directory: a cell was added, or an account is somewhere else. */
export const DIRECTORY_CHANGED = 'headwater_cells';

export interface CellRow {
  name: string;
  /** Encrypted; null for the main cell. */
  url: Buffer | null;
  is_open: boolean;
  accounts: number;
  created_at: Date;
}

const COLUMNS = `name, url, is_open, created_at,
     (select count(*) from accounts where accounts.cell = cells.name) as accounts`;

export const listCells = controlStatement('cells.list', {}).returns<CellRow>(
  `select ${COLUMNS} from cells order by created_at, name`,
);

export const findCell = controlStatement('cells.find', { name: 'text' }).returns<CellRow>(
  `select ${COLUMNS} from cells where name = :name`,
);

/** Adds a cell, or changes the URL of a known one. The notification is sent with the commit. */
export const upsertCell = controlStatement('cells.upsert', {
  name: 'text',
  url: 'bytea',
  now: 'timestamptz',
  channel: 'text',
}).runs(
  `with added as (
     insert into cells (name, url, created_at) values (:name, :url, :now)
     on conflict (name) do update set url = excluded.url returning name)
   select pg_notify(:channel, name) from added`,
);

/** Whether new accounts may be created in a cell. */
export const setOpen = controlStatement('cells.set_open', { name: 'text', is_open: 'boolean' }).returns<{
  name: string;
}>('update cells set is_open = :is_open where name = :name returning name');

export const findCellOfAccount = controlStatement('cells.find_of_account', { account_id: 'uuid' }).returns<{
  cell: string;
}>('select cell from accounts where id = :account_id');

/**
 * Removes a cell without accounts; nothing happens while some are in it or on their way. Accounts that were deleted keep a row, which
 * then names the main cell.
 */
export const removeCell = controlStatement('cells.remove', { name: 'text', channel: 'text' }).returns<{ name: string }>(
  `with empty as (
     select name from cells where name = :name and url is not null
       and not exists (select from accounts where cell = :name and deleted_at is null)
       and not exists (select from account_moves where :name in (from_cell, to_cell))),
   deleted as (update accounts set cell = 'main' from empty where accounts.cell = empty.name),
   removed as (delete from cells using empty where cells.name = empty.name returning cells.name)
   select name from removed, pg_notify(:channel, '')`,
);

export const nameAccounts = controlStatement('cells.name_accounts', { ids: 'uuid[]' }).returns<{
  id: string;
  name: string;
}>('select id, name from accounts where id = any(:ids)');

/** Accounts of a cell: first those named, in their order, then the oldest. */
export const findAccountsOfCell = controlStatement('cells.find_accounts', {
  cell: 'text',
  first: 'uuid[]',
  pattern: 'text',
  id: 'uuid?',
  most: 'integer',
}).returns<{ id: string; name: string; created_at: Date }>(
  `select id, name, created_at from accounts
   where cell = :cell and deleted_at is null and (name ilike :pattern or id = :id)
   order by array_position(:first, id), created_at, id limit :most`,
);
