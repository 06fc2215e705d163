import type { Tx } from '../../shared/postgres/database.ts';
import { assignIds, namesIn } from './names.ts';
import { readSessions } from './read-sessions.ts';
import { decodeSegment, encodeSegment, replaceSessions, SEGMENT_SIZE, timeRangesOf, toColumns } from './segment.ts';
import { deleteSegment, lockSegment, lockSegmentKey, takeChangedSessions, writeSegment } from './segment-queries.ts';
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
  const fresh = toColumns(rows, (name) => (name === null ? 0 : (ids.get(name) ?? 0)));
  const offsets = new Set(changed.map((number) => number % SEGMENT_SIZE));
  const old = row && decodeSegment(row);
  const columns = isWhole || !old ? fresh : replaceSessions(old, offsets, fresh);
  if (columns.offset.length === 0) await deleteSegment(tx, key);
  else await writeSegment(tx, { ...key, ...timeRangesOf(columns), ...encodeSegment(columns) });
  const numbersIn = old ? Array.from(old.offset, (offset) => segment * SEGMENT_SIZE + offset) : [];
  return isWhole ? [...new Set([...numbers, ...changed, ...numbersIn])] : changed;
}
