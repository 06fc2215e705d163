import type { Deps } from '../shared/deps.ts';
import { firstUuidAt } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import {
  countAllAgain,
  countConversions,
  countLeads,
  countLooseEventsAgain,
  findGoneLeads,
  findNewConversions,
  lockProgress,
  markStale,
  noteArrivals,
  takeDeletions,
  writeProgress,
} from './queries.ts';
import { findChanged } from './segment-queries.ts';

const AT_ONCE = 20_000;
const DAY_MS = 24 * 3_600_000;
/** An id may be a little later than the arrival it tells. */
const MARGIN_MS = 2 * 3_600_000;

/**
 * Notes what has arrived since the last pass, of every account: which sessions, conversions and leads are to be counted anew,
 * and events that have no session. Everything is noted once: the transaction that notes it also writes down the snapshot by
 * which it was seen, and the next pass takes what that snapshot did not see. Only one process does it at a time.
 * @returns whether there was anything
 */
export function noteWhatArrived({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('set local statement_timeout = 0; set local enable_seqscan = off');
    const [progress] = await lockProgress(tx);
    if (!progress) return false;
    if (progress.is_foreign) {
      for (const step of countAllAgain) await step(tx);
      return true;
    }
    const forgot = await countWithoutDeleted(tx);
    if (!progress.moved) return forgot;
    const since = [progress.snapshot, progress.xmin];
    const arrived = await noteArrivals(tx, ...since);
    const conversions = await findNewConversions(tx, ...since);
    const sessions = arrived.filter((row) => row.session_number !== null);
    const leads = arrived.filter((row) => row.lead_id !== null);
    await inParts(conversions, (part) => countConversions(tx, accounts(part), ids(part), [], []));
    await inParts(leads, (part) =>
      countLeads(
        tx,
        accounts(part),
        part.map((row) => row.lead_id),
        [],
        [],
      ),
    );
    await inParts(sessions, (part) =>
      countSessionsThings(
        tx,
        accounts(part),
        part.map((row) => row.session_number),
      ),
    );
    await writeProgress(tx, progress.current, new Date(clock()));
    return arrived.length + conversions.length > 0;
  });
}

/** Counts conversions and leads of sessions anew. */
export async function countSessionsThings(tx: Tx, accountIds: unknown[], numbers: unknown[]): Promise<void> {
  await countConversions(tx, [], [], accountIds, numbers);
  await countLeads(tx, [], [], accountIds, numbers);
}

/** What a lead's erasure or retention took away is counted no more. */
async function countWithoutDeleted(tx: Tx): Promise<boolean> {
  const deletions = await takeDeletions(tx);
  for (const { account_id: account, before } of deletions) {
    const ofAccount = (list: unknown[]) => list.map(() => account);
    if (before !== null) {
      await markStale(tx, account, before);
      const arrivedBefore = firstUuidAt(before.getTime() + DAY_MS + MARGIN_MS);
      const [forget, count] = countLooseEventsAgain;
      // Quarters of an hour are counted whole.
      const until = new Date(Math.ceil(before.getTime() / 900_000) * 900_000);
      await forget?.(tx, account, until);
      await count?.(tx, account, until, arrivedBefore);
    }
    // The others' are counted anew when their segments are packed.
    const changed = (await findChanged(tx, account)).map((row) => row.session_number);
    const leads = (await findGoneLeads(tx, account)).map(({ id }) => id);
    await countSessionsThings(tx, ofAccount(changed), changed);
    await countLeads(tx, ofAccount(leads), leads, [], []);
  }
  return deletions.length > 0;
}

async function inParts<T>(rows: T[], work: (part: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < rows.length; i += AT_ONCE) await work(rows.slice(i, i + AT_ONCE));
}

const accounts = (rows: { account_id: string }[]) => rows.map((row) => row.account_id);
const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
