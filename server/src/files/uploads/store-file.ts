import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError } from '../../shared/errors.ts';
import { uuidTime } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { FileDeps } from '../file-deps.ts';
import { folderIdOf } from '../library/folders.ts';
import {
  type AssetRow,
  findAssetByContent,
  insertAssets,
  lockContent,
  type StoredFile,
  shareLockAssetRows,
} from '../library/queries.ts';
import { discardBlobs } from '../storage/orphaned-blobs.ts';
import { claimBlobs } from '../storage/queries.ts';
import type { InspectedFile } from './inspect-upload.ts';
import type { Placement } from './placement.ts';

/** Runs what inserts the asset in a transaction. It may find that the asset exists, and not call `insert`. */
export type Commit<T> = (insert: (tx: Tx) => Promise<AssetRow>) => Promise<T>;

/** Makes an asset of an inspected file. */
export function storeFile<T>(
  deps: FileDeps,
  account_id: string,
  id: string,
  name: string,
  file: InspectedFile,
  commit: Commit<T>,
  placement: Placement,
): Promise<T> {
  const now = new Date(uuidTime(id));
  return storeContent(deps, account_id, file, (claim) =>
    commit(async (tx) => {
      const row = {
        ...(await claim(tx)),
        // The same content may have been uploaded as another type.
        media_type: file.media_type,
        account_id,
        id,
        url_key: randomUUID(),
        name,
        alt: null,
        title: null,
        caption: null,
        folder_id: placement.folderId === null ? null : await folderIdOf(tx, account_id, placement.folderId),
        signing_key: placement.isPrivate ? randomBytes(32) : null,
        focal_x: null,
        focal_y: null,
        unused_since: now,
        created_at: now,
        updated_at: now,
      };
      await insertAssets(tx, { assets: [row] });
      return { ...row, tags: [], translations: {}, deleted_at: null };
    }),
  );
}

/**
 * Stores the content of an inspected file. First the keys are recorded as orphaned, then the blobs are put, and one
 * transaction claims them for an asset: so no asset is ever without its blob, and no blob is unrecorded. Content that the
 * account already has is not stored again.
 * @param commit runs what gives the content to an asset in a transaction. It may not need to, and not call `claim`
 */
export async function storeContent<T>(
  deps: FileDeps,
  account_id: string,
  file: InspectedFile,
  commit: (claim: (tx: Tx) => Promise<StoredFile>) => Promise<T>,
): Promise<T> {
  const { db } = deps;
  const content = { account_id, sha256: file.sha256 };
  const claimExisting = async (tx: Tx): Promise<StoredFile | undefined> => {
    await lockContent(tx, content);
    const [existing] = await findAssetByContent(tx, content);
    if (existing) await shareLockAssetRows(tx, { account_id, ids: [existing.id] });
    return existing;
  };

  if ((await findAssetByContent(db, content)).length > 0) {
    try {
      return await commit(async (tx) => {
        const existing = await claimExisting(tx);
        if (!existing) throw new ContentDeleted();
        return existing;
      });
    } catch (error) {
      // It was deleted just now: the file is stored after all.
      if (!(error instanceof ContentDeleted)) throw error;
    }
  }

  const { blob, removed: _, ...facts } = file;
  const stored: StoredFile = { ...facts, storage_key: blob.key, poster_key: null };
  const keys = [blob.key];
  let hasStartedCommit = false;
  let isClaimed = false;
  try {
    await blob.put();
    hasStartedCommit = true;
    const result = await commit(async (tx) => {
      isClaimed = false;
      const existing = await claimExisting(tx);
      if (existing) return existing;
      const claimed = await claimBlobs(tx, { account_id, keys });
      if (claimed.length < keys.length) throw new Error('the upload took too long: its blob was deleted');
      isClaimed = true;
      return stored;
    });
    if (!isClaimed) await discardBlobs(deps, account_id, keys);
    else if (stored.poster_due !== null) deps.onPosterDue();
    return result;
  } catch (error) {
    // Whether a failed commit took effect is unknown here. The worker decides by the rows of the keys.
    if (!hasStartedCommit || error instanceof ApiError) await discardBlobs(deps, account_id, keys).catch(() => {});
    throw error;
  }
}

class ContentDeleted extends Error {}
