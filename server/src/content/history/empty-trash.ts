import { deleteEntryUses } from '../../files/index.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { DAY, MINUTE } from '../../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { type PurgeLimits, purgeNext } from '../collections/purge-collection.ts';
import { expireDrafts } from '../drafts/queries.ts';
import { deleteEntryRows, expireCollections, takeExpiredEntries } from './trash-queries.ts';

/** A transaction takes about 50 ms. */
const LIMITS: PurgeLimits = { entries: 1_000, indexRows: 20_000 };

const POLL_MS = MINUTE;
const DRAFT_DAYS = 30;

/** Removes what was deleted permanently and, after `TRASH_DAYS`, what was deleted; and unsaved changes that nobody came back to. */
export function trashWorker({ db, config, clock, log }: Deps): WorkerLoop {
  const { trashDays } = config;
  return workerLoop({
    name: 'empty the trash',
    log,
    everyMs: POLL_MS,
    async run(signal) {
      const now = clock();
      if (trashDays !== undefined) await emptyTrash(db, now - trashDays * DAY, now, LIMITS.entries, signal);
      await expireDrafts(db, { before: new Date(now - DRAFT_DAYS * DAY) });
      while (!signal.aborted && (await purgeNext(db, LIMITS, now)));
    },
  });
}

/** Removes entries that were deleted before a time, in all accounts, and marks such collections for purging. */
export async function emptyTrash(
  db: Database,
  before: number,
  now: number,
  batchSize: number,
  signal: AbortSignal,
): Promise<void> {
  await expireCollections(db, { before: new Date(before) });
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    hasMore = await db.transaction(async (tx) => {
      const expired = await takeExpiredEntries(tx, { before: new Date(before), limit: batchSize });
      for (const [account_id, rows] of Map.groupBy(expired, (row) => row.account_id)) {
        const ids = rows.map(({ id }) => id);
        await deleteEntryUses(tx, account_id, ids, now);
        await deleteEntryRows(tx, { account_id, ids });
      }
      return expired.length === batchSize;
    });
  }
}
