import type { Deps } from '../../shared/deps.ts';
import { ACCOUNT_MOVING } from '../../shared/errors.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { findLargestAccounts } from '../ingest/largest-accounts.ts';
import {
  deleteBitmaps,
  deleteLateSessions,
  findAccountsWithLateSessions,
  findBlocksEnd,
  findBlocksWithLateSessions,
  findNextEnd,
  lockSessionBitmaps,
  writeBitmaps,
} from './bitmap-queries.ts';
import { SETTLED_MS } from './settled.ts';

/** A list of an account with fewer sessions reads all of them: 20 ms. */
const MIN_SESSIONS = 20_000;

/** Sixteen blocks take some 80 ms. */
const SESSIONS_AT_ONCE = 16 * 1024;
const BLOCKS_AT_ONCE = 16;

/** Brings the filter bitmaps of accounts with many sessions up to date, in short transactions. Any number of processes may do it. */
export async function updateSessionBitmaps(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signal?: AbortSignal,
  minSessions = MIN_SESSIONS,
): Promise<void> {
  const accounts = new Set((await findAccountsWithLateSessions(db)).map(({ account_id }) => account_id));
  for (const [accountId, sessions] of await findLargestAccounts(db, ['sessions'])) {
    if (sessions >= minSessions) accounts.add(accountId);
  }
  const failures: unknown[] = [];
  for (const accountId of accounts) {
    try {
      await updateBitmapsOf(db, accountId, { now: clock(), minSessions, signal });
    } catch (error) {
      // One account does not stop the others. Those of one that is being moved are written where it arrives.
      if ((error as { code?: string }).code !== ACCOUNT_MOVING) failures.push(error);
    }
    if (signal?.aborted) return;
  }
  if (failures.length > 0) throw failures[0];
}

interface Update {
  now: number;
  minSessions?: number;
  signal?: AbortSignal | undefined;
}

/** Likewise, of one account. */
export async function updateBitmapsOf(db: Database, accountId: string, update: Update): Promise<void> {
  const step = async (tx: Tx) => {
    await lockSessionBitmaps(tx, { account_id: accountId });
    return (await writeLate(tx, accountId)) || (await writeNext(tx, accountId, update));
  };
  while (!update.signal?.aborted && (await db.transaction(step)));
}

/** Writes blocks with late sessions again. @returns whether there were any */
async function writeLate(tx: Tx, accountId: string): Promise<boolean> {
  const blocks = await findBlocksWithLateSessions(tx, { account_id: accountId, limit: BLOCKS_AT_ONCE });
  for (const { since, until } of blocks) await rewrite(tx, accountId, since, until, true);
  return blocks.length > 0;
}

/** Writes blocks after the last one. @returns whether there is more to do */
async function writeNext(tx: Tx, accountId: string, { now, minSessions = 0 }: Update): Promise<boolean> {
  const account = { account_id: accountId };
  const settled = new Date(now - SETTLED_MS);
  const [{ until: since } = { until: null }] = await findBlocksEnd(tx, account);
  const next = async (rows: number) => (await findNextEnd(tx, { ...account, since, settled, rows }))[0]?.until;
  if (since === null && (await next(minSessions)) === undefined) {
    await deleteLateSessions(tx, account);
    return false;
  }
  const until = await next(SESSIONS_AT_ONCE - 1);
  await rewrite(tx, accountId, since, until ?? settled, until !== undefined);
  return until !== undefined;
}

async function rewrite(tx: Tx, accountId: string, since: Date | null, until: Date, hasRest: boolean): Promise<void> {
  await deleteBitmaps(tx, { account_id: accountId, since, until });
  await writeBitmaps(tx, { account_id: accountId, since, until, has_rest: hasRest });
}
