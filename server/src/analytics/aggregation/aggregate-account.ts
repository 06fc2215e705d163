import type { Database } from '../../shared/postgres/database.ts';
import { rebuildSegment } from '../engine/index.ts';
import { aggregateIncrements } from './increments.ts';
import {
  aggregateConversions,
  aggregateLeads,
  findAllConversions,
  findAllLeads,
  findSegmentsOfAccount,
} from './source-queries.ts';

const BATCH_SIZE = 5_000;

/**
 * Aggregates an account whose rows were written directly to the database, with `inserted_xid` 0, which aggregation runs skip.
 * @param concurrency how many transactions at a time
 */
export async function aggregateAccount(
  db: Database,
  accountId: string,
  onProgress: (part: number) => void = () => {},
  concurrency = 2,
): Promise<void> {
  const account = { account_id: accountId };
  const segments = await findSegmentsOfAccount(db, account);
  let rebuilt = 0;
  await eachOf(segments, concurrency, async ({ segment }) => {
    await db.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 0');
      await rebuildSegment(tx, accountId, segment, Date.now());
    });
    const tenths = (done: number) => Math.floor((10 * done) / segments.length);
    if (tenths(++rebuilt) > tenths(rebuilt - 1)) onProgress(tenths(rebuilt) / 10);
  });
  await eachOf(batchesOf(await findAllConversions(db, account)), concurrency, async (conversions) => {
    await aggregateConversions(db, { conversions, sessions: [] });
    await aggregateIncrements(db, conversions);
  });
  await eachOf(batchesOf(await findAllLeads(db, account)), concurrency, (leads) =>
    aggregateLeads(db, { leads, sessions: [] }),
  );
}

function batchesOf<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, i) =>
    rows.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE),
  );
}

async function eachOf<T>(items: T[], concurrency: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const remaining = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of remaining) await work(item);
    }),
  );
}
