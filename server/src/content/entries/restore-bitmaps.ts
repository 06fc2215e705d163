import type { Deps, Worker } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { isConnectionError } from '../../shared/postgres/database-errors.ts';
import { workerLoop } from '../../shared/worker-loop.ts';
import type { SchemaView } from '../collections/collection.ts';
import { isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import type { BusyEntries, CalmEntries } from './busy-entries.ts';
import { lockEntries, setFilterBitmaps } from './queries.ts';
import { indexedRows } from './write-entries.ts';

const EVERY_MS = 15_000;

/** Entries per transaction, which takes about 20 ms and holds writers of these entries. */
const CHUNK = 100;

/** Gives entries that were busy their filter bitmaps back: once they are calm, and when the process stops. */
export function bitmapWorker(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  cache: SchemaView,
  busy: BusyEntries,
): Worker {
  const restoreCalm = async (now: number) => {
    const failures: unknown[] = [];
    for (const calm of busy.takeCalm(now)) {
      for (let i = 0; i < calm.ids.length; i += CHUNK) {
        // A failure does not leave the entries of others without their bitmaps.
        const chunk = { ...calm, ids: calm.ids.slice(i, i + CHUNK) };
        await restoreBitmaps(db, cache, chunk).catch((error: unknown) => {
          failures.push(error);
          // The database was away: they are restored later.
          if (isConnectionError(error)) busy.keep(chunk, clock());
        });
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  const loop = workerLoop({
    name: 'restore filter bitmaps',
    log,
    everyMs: EVERY_MS,
    run: () => restoreCalm(clock()),
  });
  return {
    start: loop.start,
    async stop() {
      await loop.stop();
      await restoreCalm(Number.POSITIVE_INFINITY).catch((error: unknown) => {
        log.warn({ err: error }, 'failed to restore filter bitmaps');
      });
    },
  };
}

/**
 * Writes the filter bitmaps of entries that have none. If another process changes one that often, it leaves the bitmap out
 * again with the next change.
 */
async function restoreBitmaps(
  db: Deps['db'],
  cache: SchemaView,
  { accountId, collectionId, ids }: CalmEntries,
): Promise<void> {
  const restoring = cache.use(db, accountId, collectionId, (collection) =>
    db.transaction(async (tx) => {
      const locked = await lockEntries(tx, accountId, collection, ids);
      const entries = locked.filter((entry) => isActive(entry) && entry.filter_bitmap === null);
      if (entries.some((entry) => entry.collection_version !== collection.version)) return STALE;
      const restored = entries.map(({ id, sort_keys }) => ({
        id,
        sort_keys,
        filter_bitmap: filterBitmapOf(collection.fields, sort_keys),
      }));
      await setFilterBitmaps(tx, {
        account_id: accountId,
        entries: restored.map(({ id, filter_bitmap }) => ({ id, filter_bitmap })),
        kept_rows: restored.flatMap(({ id: entry_id, sort_keys, filter_bitmap }) =>
          indexedRows(collection, sort_keys).map((row) => ({ ...row, entry_id, filter_bitmap })),
        ),
      });
      return undefined;
    }),
  );
  await restoring.catch((error: unknown) => {
    // The collection was deleted.
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  });
}
