import { randomUUID } from 'node:crypto';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { ExaminedFile } from './examine-file.ts';
import {
  type AssetRow,
  disown,
  findTwin,
  holdAssetRows,
  insertAsset,
  lockContent,
  own,
  type StoredFile,
} from './queries.ts';
import { type Storage, storageKey } from './storage.ts';
import { giveUp, UPLOAD_WITHIN_MS } from './unowned-files.ts';

/** Runs what inserts the asset in a transaction; it may find that the asset need not be inserted, and not call `insert`. */
export type Commit<T> = (insert: (tx: Tx) => Promise<AssetRow>) => Promise<T>;

/** Makes an asset of a file that is whole and was examined. */
export function storeFile<T>(
  deps: Deps,
  storage: Storage,
  accountId: string,
  id: string,
  name: string,
  file: ExaminedFile,
  commit: Commit<T>,
): Promise<T> {
  const now = new Date(uuidTime(id));
  return storeBytes(deps, storage, accountId, id, file, (take) =>
    commit(async (tx) => {
      const row: AssetRow = {
        ...(await take(tx)),
        account_id: accountId,
        id,
        url_key: randomUUID(),
        name,
        alt: null,
        focal_x: null,
        focal_y: null,
        unused_since: now,
        created_at: now,
        updated_at: now,
      };
      await insertAsset(tx, row);
      return row;
    }),
  );
}

/**
 * Stores the bytes of a file that is whole and was examined. In this order, so that there never is an asset without its
 * bytes, nor bytes of which nobody knows: the keys are written down as belonging to nobody; the bytes are put under them;
 * in one transaction they are taken, and an asset comes to have them. Bytes that the account has already are not stored
 * again.
 * @param id a UUID of its own, under which the bytes are kept
 * @param commit runs what gives the bytes to an asset in a transaction; it may find that it need not, and not call `take`
 */
export async function storeBytes<T>(
  deps: Deps,
  storage: Storage,
  accountId: string,
  id: string,
  file: ExaminedFile,
  commit: (take: (tx: Tx) => Promise<StoredFile>) => Promise<T>,
): Promise<T> {
  const takeTwin = async (tx: Tx): Promise<StoredFile | undefined> => {
    await lockContent(tx, accountId, file.sha256);
    const [twin] = await findTwin(tx, accountId, file.sha256);
    if (twin) await holdAssetRows(tx, accountId, [twin.id]);
    return twin;
  };

  const [known] = await findTwin(deps.db, accountId, file.sha256);
  if (known) {
    try {
      return await commit(async (tx) => {
        const twin = await takeTwin(tx);
        if (!twin) throw new TwinGone();
        return twin;
      });
    } catch (error) {
      // It was deleted this very moment.
      if (!(error instanceof TwinGone)) throw error;
    }
  }

  const key = storageKey(accountId, id);
  const { path, posterPath, poster, ...facts } = { ...file, poster: file.posterPath && `${key}.poster` };
  const keys = [key, ...(poster ? [poster] : [])];
  const stored: StoredFile = { ...facts, storage_key: key, poster_key: poster ?? null };
  let inserting = false;
  let used = false;
  try {
    await disown(deps.db, accountId, keys, new Date(deps.clock() + UPLOAD_WITHIN_MS));
    await storage.put(path, key, file.media_type);
    if (poster && posterPath) await storage.put(posterPath, poster, 'image/webp');
    inserting = true;
    const answer = await commit(async (tx) => {
      used = false;
      const twin = await takeTwin(tx);
      if (twin) return twin;
      if ((await own(tx, accountId, keys)).length < keys.length)
        throw new Error('the upload took too long: it was cleared');
      used = true;
      return stored;
    });
    if (!used) await giveUp(deps, storage, accountId, keys);
    return answer;
  } catch (error) {
    // Of a failed commit nobody can tell here whether it took place: the rows of the keys tell, to the worker.
    if (!inserting || error instanceof ApiError) await giveUp(deps, storage, accountId, keys).catch(() => {});
    throw error;
  }
}

class TwinGone extends Error {}
