import type { Deps } from '../shared/deps.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { countSessionsThings } from './note-arrivals.ts';
import { namesIn, numberNames, readFacts } from './read-facts.ts';
import {
  bytesOf,
  offsetOf,
  type PackedSegment,
  packFacts,
  replaceSessions,
  rowsOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  spansOf,
} from './segment.ts';
import {
  deleteSegment,
  findNumbers,
  findToPack,
  lockPacking,
  lockSegment,
  type SegmentRow,
  takeChanged,
  writeSegment,
} from './segment-queries.ts';

/**
 * How many changed sessions of an account a report reads from their rows, which takes some 30 ms. Packing sooner would write
 * a segment again for every few of them.
 */
const MOST_CHANGED = 1_000;

/** Packs sessions that changed, as far as there are many or they are due. Any number of processes may do it at once. */
export async function packSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signal?: AbortSignal,
  mostChanged = MOST_CHANGED,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const { account_id: account, segment } of await findToPack(db, new Date(clock()), mostChanged)) {
    if (signal?.aborted) return;
    try {
      await db.transaction(async (tx) => {
        await tx.query('set local statement_timeout = 0');
        await packSegmentAgain(tx, account, segment, clock());
      });
    } catch (error) {
      // The others' are packed all the same.
      failure = { error };
    }
  }
  if (failure) throw failure.error;
}

/** Packs what changed of a segment, or all of it where something was deleted. */
async function packSegmentAgain(tx: Tx, account: string, segment: number, now: number): Promise<void> {
  const concerned = await packSegment(tx, account, segment, now);
  // What was deleted from a session, its conversions and leads are told apart by no more.
  await countSessionsThings(
    tx,
    concerned.map(() => account),
    concerned,
  );
}

/** @returns the numbers of the sessions that may be other than before */
export async function packSegment(tx: Tx, account: string, segment: number, now: number): Promise<number[]> {
  // Also where there is no row yet to be locked.
  await lockPacking(tx, `analytics ${account} ${segment}`);
  const [row] = await lockSegment(tx, account, segment);
  // Its changes are taken before its rows are read: what changes in between is noted again.
  const changed = (await takeChanged(tx, account, segment, new Date(now))).map((each) => each.session_number);
  const isWhole = !row || row.is_stale;
  if (!isWhole && changed.length === 0) return [];
  const numbers = isWhole ? (await findNumbers(tx, account, segment)).map(({ number }) => number) : changed;
  const facts = await readFacts(
    tx,
    account,
    [...numbers].sort((a, b) => a - b),
  );
  const ids = await numberNames(tx, account, namesIn(facts));
  const fresh = packFacts(segment, facts, (name) => (name === null ? 0 : (ids.get(name) ?? 0)));
  const packed = isWhole ? fresh : replaceSessions(segmentOf(segment, row), offsetsOf(changed), fresh);
  if (packed.sessions.length === 0) await deleteSegment(tx, account, segment);
  else {
    const spans = spansOf(packed).map((ms) => (ms === null ? null : new Date(ms)));
    const { sessions, visits, events } = packed;
    await writeSegment(tx, account, segment, ...spans, bytesOf(sessions), bytesOf(visits), bytesOf(events));
  }
  return isWhole ? [...new Set([...numbers, ...changed, ...(row ? numbersIn(segment, row) : [])])] : changed;
}

function numbersIn(segment: number, row: SegmentRow): number[] {
  const { sessions } = segmentOf(segment, row);
  return Array.from(
    { length: sessions.length / SESSION_STRIDE },
    (_, i) => segment * SEGMENT_SIZE + offsetOf(sessions[i * SESSION_STRIDE] ?? 0),
  );
}

function offsetsOf(numbers: readonly number[]): Set<number> {
  return new Set(numbers.map((number) => number % SEGMENT_SIZE));
}

function segmentOf(segment: number, row: SegmentRow): PackedSegment {
  return { segment, sessions: rowsOf(row.sessions), visits: rowsOf(row.visits), events: rowsOf(row.events) };
}
