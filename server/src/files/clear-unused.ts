import type { JobHandler } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { removeAsset } from './delete-file.ts';
import { accountsWithUnused, countUnused, findAssetRows, findUnused, lockAssets, lockContent } from './queries.ts';
import type { Storage } from './storage.ts';
import { clearKeys } from './unowned-files.ts';

export const CLEAR_UNUSED = 'clear-unused-files';

const DAY_MS = 86_400_000;
const AT_ONCE = 100;

/** Does the jobs that delete what no entry has named for some days. */
export function clearUnusedHandler(deps: Deps, storage: Storage): JobHandler {
  return {
    async run({ accountId, params, signal, report }) {
      const { unusedForDays } = params as { unusedForDays: number };
      const before = new Date(deps.clock() - unusedForDays * DAY_MS);
      const [{ count } = { count: 0 }] = await countUnused(deps.db, accountId, before);
      let files = 0;
      let bytes = 0;
      await clearUnused(deps, storage, accountId, before, signal, (cleared) => {
        files++;
        bytes += cleared;
        report(Math.min(1, files / count));
      });
      return { files, bytes };
    },
  };
}

/** Deletes what has been unused since before then, for every account. */
export async function clearUnusedEverywhere(deps: Deps, storage: Storage, days: number, signal: AbortSignal) {
  const before = new Date(deps.clock() - days * DAY_MS);
  for (const { account_id } of await accountsWithUnused(deps.db, before)) {
    await clearUnused(deps, storage, account_id, before, signal, () => {});
  }
}

async function clearUnused(
  deps: Deps,
  storage: Storage,
  accountId: string,
  before: Date,
  signal: AbortSignal,
  onCleared: (bytes: number) => void,
): Promise<void> {
  for (;;) {
    const some = await findUnused(deps.db, accountId, before, AT_ONCE);
    for (const { id, bytes } of some) {
      signal.throwIfAborted();
      const keys = await deps.db.transaction(async (tx) => {
        const [asset] = await findAssetRows(tx, accountId, [id]);
        if (!asset) return undefined;
        await lockContent(tx, accountId, asset.sha256);
        const [row] = await lockAssets(tx, accountId, [id]);
        // An entry may have come to use it since it was found.
        if (!row?.unused_since || row.unused_since >= before) return undefined;
        return removeAsset(deps, tx, row);
      });
      if (keys === undefined) continue;
      await clearKeys(deps, storage, accountId, keys);
      onCleared(bytes);
    }
    if (some.length < AT_ONCE) return;
  }
}
