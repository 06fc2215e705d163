import { DAY } from '../../shared/units.ts';
import type { FileDeps } from '../file-deps.ts';
import { deleteBlobsOrWarn } from '../storage/orphaned-blobs.ts';
import { removeAsset } from './delete-file.ts';
import { findAssetRows, findTrashed, lockAssetRows, lockContent } from './queries.ts';

const PAGE_SIZE = 100;

/** Permanently deletes files that have been in the trash for some days. */
export async function emptyFileTrash(deps: FileDeps, days: number, signal: AbortSignal): Promise<void> {
  const before = new Date(deps.clock() - days * DAY);
  for (;;) {
    const page = await findTrashed(deps.db, { before, max: PAGE_SIZE });
    for (const { account_id, id } of page) {
      signal.throwIfAborted();
      const keys = await deps.db.transaction(async (tx) => {
        const [asset] = await findAssetRows(tx, { account_id, ids: [id] });
        if (!asset) return [];
        await lockContent(tx, { account_id, sha256: asset.sha256 });
        const [row] = await lockAssetRows(tx, { account_id, ids: [id] });
        // It may have been restored meanwhile.
        return row?.deleted_at && row.deleted_at < before ? removeAsset(deps, tx, row) : [];
      });
      await deleteBlobsOrWarn(deps, account_id, keys);
    }
    if (page.length < PAGE_SIZE) return;
  }
}
