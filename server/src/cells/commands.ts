import type pg from 'pg';
import { ConfigError } from '../shared/config.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import { MAIN } from '../shared/main-cell.ts';
import { nodeOf, placementLockOf } from '../shared/postgres/citus.ts';
import { type ControlDatabase, type ControlTx, type Database, openDatabase } from '../shared/postgres/database.ts';
import { readInstance } from '../shared/secrets/instance.ts';
import type { MasterKeys } from '../shared/secrets/master-keys.ts';
import { isoTime } from '../shared/time.ts';
import { sealedUrls } from './cells.ts';
import {
  type CellRow,
  DIRECTORY_CHANGED,
  findCell,
  findCellOfAccount,
  listCells,
  setOpen,
  upsertCell,
} from './directory.ts';
import { CellMeter, roundMeasures } from './measure.ts';
import { listMoves } from './move/queries.ts';
import { connectionOf, openCell } from './open-cell.ts';

/** The URL of a cell whose tables are in a schema of their own, or which has a replica. */
export function withSchema(url: string, schema: string | undefined, replica?: string): string {
  const added = new URLSearchParams({
    ...(schema !== undefined && { schema }),
    ...(replica !== undefined && { replica }),
  });
  return added.size === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${added}`;
}

const serialize = ({ name, is_open, accounts, created_at }: CellRow) => ({
  name,
  isOpen: is_open,
  accounts,
  createdAt: isoTime(created_at),
});

/**
 * Adds a cell, whose database is prepared if it is empty, or changes the URL of a known cell. Every process serves it at once.
 * @throws ConfigError if the database cannot be used
 */
export async function addCell(control: ControlDatabase, secret: Buffer, name: string, url: string, now: number) {
  if (name === MAIN || !/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
    const detail =
      'A cell needs a name of lower case letters, digits and hyphens, such as eu-1. "main" is the first cell.';
    throw badRequest('cell_name_invalid', detail);
  }
  const db = await openCell(control, name, url, secret, 2, () => {}).catch((error: { message: string }) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`the database of the cell ${name} cannot be used: ${error.message}`, { cause: error });
  });
  await db.close();
  await addPreparedCell(control, secret, name, url, now);
  return requireCell(control, name);
}

/** Adds a cell whose database is ready. Exported for the tests. */
export async function addPreparedCell(control: ControlTx, secret: Buffer, name: string, url: string, now: number) {
  const sealed = sealedUrls(secret).seal(Buffer.from(url), name);
  await upsertCell(control, { name, url: sealed, now: new Date(now), channel: DIRECTORY_CHANGED });
}

/** Adds the cells of the setting `CELLS`, except those whose URL is known. */
export async function addCells(control: ControlDatabase, secret: Buffer, cells: ReadonlyMap<string, string>) {
  for (const [name, url] of cells) {
    const [known] = await findCell(control, { name });
    const isKnown = known?.url && sealedUrls(secret).open(known.url, name).toString() === url;
    if (!isKnown) await addCell(control, secret, name, url, Date.now());
  }
}

/** @throws ApiError 404 */
export async function requireCell(control: ControlDatabase, name: string) {
  const [row] = await findCell(control, { name });
  if (!row) throw notFound('cell');
  return serialize(row);
}

/** The accounts on their way between cells. */
export async function listMovesByCommand(control: ControlDatabase) {
  const moves = (await listMoves(control)).map((move) => ({
    account: publicId('acc', move.account_id),
    from: move.from_cell,
    to: move.to_cell,
    state: move.state,
    error: move.error,
    startedAt: isoTime(move.started_at),
  }));
  return { moves };
}

/** Runs a command with the database of an account's cell. @param account its public id */
export async function inCellOf<T>(deps: Deps, account: string, run: (deps: Deps) => Promise<T> | undefined) {
  const id = parseId('acc', account);
  const [found] = id === undefined ? [] : await findCellOfAccount(deps.control, { account_id: id });
  const [cell] = found ? await findCell(deps.control, { name: found.cell }) : [];
  if (!cell?.url) return run(deps);
  const url = sealedUrls(deps.secret).open(cell.url, cell.name).toString();
  const db = await openCell(deps.control, cell.name, url, deps.secret, deps.config.poolSize, () => {});
  try {
    return await run({ ...deps, db });
  } finally {
    await db.close();
  }
}

/** Whether new accounts may be created in a cell. @throws ApiError 404 */
export async function setCellOpen(control: ControlDatabase, name: string, isOpen: boolean) {
  await setOpen(control, { name, is_open: isOpen });
  return requireCell(control, name);
}

/** Each cell with its size, load and lag. */
export async function cellStatus(control: ControlDatabase, secret: Buffer) {
  const rows = await listCells(control);
  return { cells: await Promise.all(rows.map((row) => statusOf(control, secret, row))) };
}

export const connectionOfRow = (control: ControlDatabase, secret: Buffer, { name, url }: CellRow): pg.PoolConfig =>
  url ? connectionOf(name, sealedUrls(secret).open(url, name).toString()).connection : control.connection;

/** A cell, and how to connect to it. */
export interface CellConnection {
  cell: string;
  connection: pg.PoolConfig;
}

/** All cells, the main one first. */
export async function cellConnections(control: ControlDatabase, secret: Buffer): Promise<CellConnection[]> {
  const rows = await listCells(control);
  return rows
    .map((row) => ({ cell: row.name, connection: connectionOfRow(control, secret, row) }))
    .sort((a, b) => Number(b.cell === MAIN) - Number(a.cell === MAIN));
}

/** Runs a command with the databases of all cells. */
export async function inAllCells<T>(deps: Deps, run: (databases: Database[]) => Promise<T>): Promise<T> {
  const cells = await cellConnections(deps.control, deps.secret);
  const databases = cells.map(({ connection }) => openDatabase(connection, 2, () => {}));
  try {
    return await run(databases);
  } finally {
    await Promise.all(databases.map((db) => db.close()));
  }
}

/** Stores the URLs of cells that were restored into other databases. */
export async function moveCells(tx: ControlTx, urls: ReadonlyMap<string, string>, keys: MasterKeys): Promise<void> {
  if (urls.size === 0) return;
  const { secret } = await readInstance(tx, keys);
  for (const [name, url] of urls) await addPreparedCell(tx, secret, name, url, Date.now());
}

async function statusOf(control: ControlDatabase, secret: Buffer, row: CellRow) {
  const db = openDatabase(connectionOfRow(control, secret, row), 1, () => {}, { reconnectMs: 0, connectMs: 2_000 });
  try {
    db.placementLock = await placementLockOf(db);
    const measures = await new CellMeter().measureLoad(row.name, db);
    const node = db.placementLock ? { node: await nodeOf(db) } : {};
    return { ...serialize(row), status: 'ok', ...roundMeasures(measures), ...node };
  } catch (error) {
    return { ...serialize(row), status: 'unavailable', error: (error as Error).message };
  } finally {
    await db.close();
  }
}
