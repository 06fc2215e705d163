import type { JobHandler } from '../../jobs/index.ts';
import { DAY } from '../../shared/units.ts';
import type { FileDeps } from '../file-deps.ts';
import { deleteBlobsOrWarn } from '../storage/orphaned-blobs.ts';
import { removeAsset } from './delete-file.ts';
import { accountsWithUnused, countUnused, findAssetRows, findUnused, lockAssetRows, lockContent } from './queries.ts';

export const CLEAR_UNUSED = 'clear-unused-files';

const PAGE_SIZE = 100;

/** Runs the jobs that delete an account's unused files. */
export function clearUnusedHandler(deps: FileDeps): JobHandler {
  return {
    async run({ accountId, params, signal, report }) {
      const { unusedForDays } = params as { unusedForDays: number };
      const before = new Date(deps.clock() - unusedForDays * DAY);
      const [{ count } = { count: 0 }] = await countUnused(deps.db, { account_id: accountId, before });
      let files = 0;
      let bytes = 0;
      await clearUnused(deps, accountId, before, signal, (deleted) => {
        files++;
        bytes += deleted;
        report(Math.min(1, files / count));
      });
      return { files, bytes };
    },
  };
}

/** Deletes the files of every account that have been unused for some days. */
export async function clearUnusedEverywhere(deps: FileDeps, days: number, signal: AbortSignal) {
  const before = new Date(deps.clock() - days * DAY);
  for (const { account_id } of await accountsWithUnused(deps.db, { before })) {
    await clearUnused(deps, account_id, before, signal, () => {});
  }
}

async function clearUnused(
  deps: FileDeps,
  account_id: string,
  before: Date,
  signal: AbortSignal,
  onDeleted: (bytes: number) => void,
): Promise<void> {
  for (;;) {
    const page = await findUnused(deps.db, { account_id, before, max: PAGE_SIZE });
    for (const { id, bytes } of page) {
      signal.throwIfAborted();
      const keys = await deps.db.transaction(async (tx) => {
        const [asset] = await findAssetRows(tx, { account_id, ids: [id] });
        if (!asset) return undefined;
        await lockContent(tx, { account_id, sha256: asset.sha256 });
        const [row] = await lockAssetRows(tx, { account_id, ids: [id] });
        // An entry may have started to use it meanwhile.
        if (!row?.unused_since || row.unused_since >= before) return undefined;
        return removeAsset(deps, tx, row);
      });
      if (keys === undefined) continue;
      await deleteBlobsOrWarn(deps, account_id, keys);
      onDeleted(bytes);
    }
    if (page.length < PAGE_SIZE) return;
  }
}
