import type { Deps } from '../shared/deps.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { disown, own, takeUnowned, takeUnownedKeys } from './queries.ts';
import type { Storage } from './storage.ts';

/** Longer than any upload may take: see the server's `requestTimeout`. */
export const UPLOAD_WITHIN_MS = 6 * 3_600_000;
const AT_ONCE = 50;

/**
 * Removes keys from the storage that belong to no asset and are due. What fails stays on the list, for the worker.
 * The row is held while its bytes are removed: nobody can come to own what is just going.
 */
export async function clearKeys(deps: Deps, storage: Storage, accountId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await deps.db.transaction(async (tx) => {
    const due = await takeUnownedKeys(tx, accountId, keys, new Date(deps.clock()));
    await remove(tx, storage, accountId, due);
  });
}

/** Gives up what was put, or was to be, for an asset that did not come about. */
export async function giveUp(deps: Deps, storage: Storage, accountId: string, keys: string[]): Promise<void> {
  await disown(deps.db, accountId, keys, new Date(deps.clock()));
  await clearKeys(deps, storage, accountId, keys);
}

/** Clears all that is due. Any number of processes may do it beside each other. */
export async function clearUnowned(deps: Deps, storage: Storage): Promise<void> {
  for (;;) {
    const isLast = await deps.db.transaction(async (tx) => {
      const due = await takeUnowned(tx, new Date(deps.clock()), AT_ONCE);
      for (const { account_id, storage_key } of due) await remove(tx, storage, account_id, [{ storage_key }]);
      return due.length < AT_ONCE;
    });
    if (isLast) return;
  }
}

async function remove(tx: Tx, storage: Storage, accountId: string, rows: { storage_key: string }[]): Promise<void> {
  for (const { storage_key } of rows) await storage.delete(storage_key);
  if (rows.length > 0) {
    const keys = rows.map((row) => row.storage_key);
    await own(tx, accountId, keys);
  }
}
