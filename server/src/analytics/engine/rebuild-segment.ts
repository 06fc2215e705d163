import type { Tx } from '../../shared/postgres/database.ts';
import { assignIds, namesIn } from './names.ts';
import { readSessions } from './read-sessions.ts';
import {
  encodeSegment,
  offsetOf,
  replaceSessions,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type StoredSegment,
  timeRangesOf,
  toBuffer,
  toRows,
} from './segment.ts';
import {
  deleteSegment,
  lockSegment,
  lockSegmentKey,
  type SegmentRow,
  takeChangedSessions,
  writeSegment,
} from './segment-queries.ts';
import { findSessionNumbers } from './source-queries.ts';

/**
 * Writes the changed sessions of a segment into it, or the whole segment when it is stale or missing. Their rows are read
 * again instead of adding to counts, so rebuilding twice does no harm.
 * @returns the numbers of the sessions that may differ from before
 */
export async function rebuildSegment(tx: Tx, accountId: string, segment: number, now: number): Promise<number[]> {
  const key = { account_id: accountId, segment };
  await lockSegmentKey(tx, { key: `analytics ${accountId} ${segment}` });
  const [row] = await lockSegment(tx, key);
  // Changes are taken before the rows are read: what changes in between is recorded again.
  const changed = (await takeChangedSessions(tx, { ...key, now: new Date(now) })).map((each) => each.session_number);
  const isWhole = !row || row.is_stale;
  if (!isWhole && changed.length === 0) return [];
  const numbers = isWhole ? (await findSessionNumbers(tx, key)).map(({ number }) => number) : changed;
  const rows = await readSessions(tx, accountId, numbers);
  const ids = await assignIds(tx, accountId, namesIn(rows));
  const fresh = encodeSegment(segment, rows, (name) => (name === null ? 0 : (ids.get(name) ?? 0)));
  const offsets = new Set(changed.map((number) => number % SEGMENT_SIZE));
  const stored = isWhole ? fresh : replaceSessions(decode(segment, row), offsets, fresh);
  if (stored.sessions.length === 0) await deleteSegment(tx, key);
  else {
    const { sessions, visits, events } = stored;
    const columns = { sessions: toBuffer(sessions), visits: toBuffer(visits), events: toBuffer(events) };
    await writeSegment(tx, { ...key, ...timeRangesOf(stored), ...columns });
  }
  return isWhole ? [...new Set([...numbers, ...changed, ...(row ? numbersIn(decode(segment, row)) : [])])] : changed;
}

function decode(segment: number, row: SegmentRow): StoredSegment {
  return { segment, sessions: toRows(row.sessions), visits: toRows(row.visits), events: toRows(row.events) };
}

function numbersIn({ segment, sessions }: StoredSegment): number[] {
  return Array.from(
    { length: sessions.length / SESSION_STRIDE },
    (_, i) => segment * SEGMENT_SIZE + offsetOf(sessions[i * SESSION_STRIDE] ?? 0),
  );
}
