import type { Deps } from '../../shared/deps.ts';
import { uuidTime } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import {
  advanceBackfill,
  type BackfillRow,
  backfillEntries,
  backfillPublished,
  claimBackfill,
  finishBackfill,
  lockCollection,
  replaceFields,
} from './queries.ts';
import { finishReindex, isReindex, reindexChunk } from './reindex-entries.ts';

/** Entries whose rows are written in one transaction, which takes about 50 ms. */
const CHUNK = 5_000;

/** Entries that are indexed anew in one transaction, which holds their writers for about 50 ms. */
const REINDEX_CHUNK = 500;

/** How often to check for work that another process left. */
const POLL_MS = 10_000;

/**
 * Writes the index rows of fields that were added to a large collection. Any number of processes can run it; each field is
 * worked on by one process at a time and resumes where the previous one stopped.
 */
export function backfillWorker({ db, log }: Pick<Deps, 'db' | 'log'>): WorkerLoop {
  return workerLoop({
    name: 'index new fields',
    log,
    everyMs: POLL_MS,
    runAtStart: true,
    run: () => backfillChunk(db, CHUNK),
  });
}

/** Writes the rows of the next `chunk` entries of one field. Returns false if there is nothing to do. */
export async function backfillChunk(db: Database, chunk: number): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [claimed] = await claimBackfill(tx);
    if (!claimed) return undefined;
    const { entry_id, published, ...field } = claimed;
    if (isReindex(claimed)) {
      const limit = Math.min(chunk, REINDEX_CHUNK);
      const { count, last } = await reindexChunk(tx, claimed, limit);
      const reached = { ...claimed, entry_id: last ?? entry_id };
      await advanceBackfill(tx, reached);
      return { reached, isLast: count < limit };
    }
    const backfill = published ? backfillPublished : backfillEntries;
    const position = { after_created_at: new Date(uuidTime(entry_id)), after_id: entry_id };
    const [written] = await backfill(tx, { ...field, ...position, limit: chunk });
    const reached = { ...claimed, entry_id: written?.last ?? entry_id };
    await advanceBackfill(tx, reached);
    // Entries that are created after the field come with their rows, so the first incomplete chunk is the last one.
    return { reached, isLast: (written?.count ?? 0) < chunk };
  });
  if (done?.isLast) await finish(db, done.reached);
  return done !== undefined;
}

/** Runs in a transaction of its own, because changes of a collection lock first the collection and then its backfills. */
async function finish(db: Database, reached: BackfillRow): Promise<void> {
  const { account_id, collection_id: id, field_key } = reached;
  if (isReindex(reached)) return db.transaction((tx) => finishReindex(tx, reached));
  await db.transaction(async (tx) => {
    const [row] = await lockCollection(tx, { account_id, id });
    const [finished] = await finishBackfill(tx, reached);
    if (!row || !finished) return;
    const fields = row.fields.map(({ pending, publishedPending, ...field }) => ({
      ...field,
      ...(pending && field.key !== field_key && { pending }),
      ...(publishedPending && field.publishedKey !== field_key && { publishedPending }),
    }));
    await replaceFields(tx, { account_id, id, fields: JSON.stringify(fields) });
  });
}
