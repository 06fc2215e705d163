import { releaseAssets } from '../files/index.ts';
import type { Deps } from '../shared/deps.ts';
import { type PeriodicWorker, periodically } from '../shared/periodic.ts';
import type { Database } from '../shared/postgres/database.ts';
import { type Piece, purgePiece } from './purge-collection.ts';
import { expireCollections, purgeEntries, takeExpired } from './trash-queries.ts';

/** About 50 ms each. */
const PIECE: Piece = { entries: 1_000, indexRows: 20_000 };

/** How often it is looked whether another process left something undone, or something has lain long enough. */
const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Removes what was deleted for good, and after `TRASH_DAYS` what was deleted. */
export function trashWorker({ db, config, clock, log }: Deps): PeriodicWorker {
  const { trashDays } = config;
  return periodically(EVERY_MS, 'to remove what was deleted for good', log, async (signal) => {
    const now = clock();
    if (trashDays !== undefined) await emptyTrash(db, now - trashDays * DAY_MS, now, PIECE.entries, signal);
    while (!signal.aborted && (await purgePiece(db, PIECE, now)));
  });
}

/** Removes the entries of all accounts that were deleted before a time, and begins to remove the collections. */
export async function emptyTrash(
  db: Database,
  before: number,
  now: number,
  atOnce: number,
  signal: AbortSignal,
): Promise<void> {
  await expireCollections(db, new Date(before));
  for (let isMore = true; isMore && !signal.aborted; ) {
    isMore = await db.transaction(async (tx) => {
      const taken = await takeExpired(tx, new Date(before), atOnce);
      for (const [accountId, rows] of Map.groupBy(taken, (row) => row.account_id)) {
        const ids = rows.map(({ id }) => id);
        await releaseAssets(tx, accountId, ids, now);
        await purgeEntries(tx, accountId, ids);
      }
      return taken.length === atOnce;
    });
  }
}
