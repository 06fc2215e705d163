import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { type Database, openDatabase } from '../shared/postgres/database.ts';
import { isConnectionError } from '../shared/postgres/database-errors.ts';
import { rewrap } from '../shared/secrets/instance.ts';
import { cellConnections } from './commands.ts';

interface CellKeys {
  cell: string;
  /** Data keys of accounts by the id of the master key that encrypts them; undefined: the database is unavailable. */
  dataKeys: Record<string, number> | undefined;
  /** The master key of what is added. */
  masterKey: string | undefined;
}

/** Runs `work` with each database, the control database first. @returns undefined for one that is unavailable */
async function inEach<T>({ control, secret }: Deps, work: (db: Database, cell: string) => Promise<T>) {
  const results: { cell: string; result: T | undefined }[] = [];
  for (const { cell, connection } of await cellConnections(control, secret)) {
    const db = openDatabase(connection, 1, () => {}, { reconnectMs: 0, connectMs: 2_000 });
    try {
      results.push({ cell, result: await work(db, cell) });
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      results.push({ cell, result: undefined });
    } finally {
      await db.close();
    }
  }
  return results;
}

async function keysInUse(deps: Deps): Promise<CellKeys[]> {
  const found = await inEach(deps, async (db) => {
    const { rows: instances } = await db.query('select master_key from instance');
    const { rows } = await db.query('select master_key, count(*)::int as count from data_keys group by 1 order by 1');
    return {
      masterKey: instances[0].master_key as string,
      dataKeys: Object.fromEntries(rows.map(({ master_key, count }) => [master_key, count])) as Record<string, number>,
    };
  });
  return found.map(({ cell, result }) => ({ cell, dataKeys: result?.dataKeys, masterKey: result?.masterKey }));
}

/** Which master keys there are, and what they encrypt in each database. */
export async function masterKeyStatus(deps: Deps) {
  const { keys } = deps.vault;
  return { newest: keys.newest, place: keys.place, cells: await keysInUse(deps) };
}

/** Adds a master key that nothing is encrypted with before `rotateMasterKey`. @throws ConfigError */
export function addMasterKey({ vault: { keys } }: Deps) {
  return { newest: keys.add(), place: keys.place };
}

/**
 * Encrypts the secret of the installation and all data keys with the newest master key; if they are, with a new one. What is interrupted is
 * completed by the next call. Processes that use the same file learn of the key when they need it.
 * @throws ApiError 400 `cell_unavailable`, after the other cells are done
 */
export async function rotateMasterKey(deps: Deps) {
  const { keys } = deps.vault;
  const before = await keysInUse(deps);
  const away = before.filter(({ masterKey }) => masterKey === undefined).map(({ cell }) => cell);
  const isDone = ({ masterKey, dataKeys = {} }: CellKeys) =>
    masterKey === keys.newest && Object.keys(dataKeys).every((key) => key === keys.newest);
  if (away.length === 0 && before.every(isDone)) keys.add();
  const results = await inEach(deps, (db) => rewrap(db, keys));
  const failed = results.filter(({ result }) => result === undefined).map(({ cell }) => cell);
  const dataKeys = results.reduce((sum, { result }) => sum + (result ?? 0), 0);
  if (failed.length > 0) {
    const detail = `The cells ${failed.join(', ')} are unavailable: run the command again when they respond. The others are done.`;
    throw badRequest('cell_unavailable', detail);
  }
  return { masterKey: keys.newest, place: keys.place, dataKeys };
}
