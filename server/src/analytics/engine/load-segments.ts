import pg from 'pg';
import { copyRows } from '../../shared/postgres/copy-rows.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { namesIn, ReportNames } from './names.ts';
import { readSessions } from './read-sessions.ts';
import { ReportTooLarge } from './report-too-large.ts';
import {
  encodeSegment,
  openSegment,
  SEGMENT_SIZE,
  type Segment,
  type StoredSegment,
  toRows,
  withoutSessions,
} from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { findChangedSessions, findSegments } from './segment-queries.ts';

/** The sessions of an account at one moment, as far as they touch a period. */
export interface LoadedSegments {
  segments: Segment[];
  /** Visitor numbers are below this. */
  visitors: number;
  names: ReportNames;
}

export interface SegmentRequest {
  accountId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  withEvents: boolean;
  /** Segments to load whatever their time. */
  segments?: number[];
}

/** What a report may read: about four million sessions with ten events each. */
const MAX_REPORT_BYTES = 2 ** 30;

/**
 * Loads segments, from the cache where it has the current version. Sessions that changed since their segment was written are
 * read from their own rows.
 * @throws ReportTooLarge
 */
export async function loadSegments(
  client: pg.ClientBase,
  cache: SegmentCache,
  { accountId, from, to, withEvents, segments: also = [] }: SegmentRequest,
): Promise<LoadedSegments> {
  await client.query('begin isolation level repeatable read');
  try {
    const found = await findSegments(client, {
      account_id: accountId,
      from: new Date(from),
      to: new Date(to),
      with_events: withEvents,
      segments: also,
    });
    if (found.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_REPORT_BYTES) throw new ReportTooLarge();
    const visitors = cache.visitorsOf(accountId);
    const loaded = new Map<number, Segment>();
    for (const row of found) {
      const cached = cache.get(accountId, row, withEvents);
      if (cached) loaded.set(row.segment, cached);
    }
    const missing = new Map(found.flatMap((row) => (loaded.has(row.segment) ? [] : [[row.segment, row] as const])));
    // About a third of the visitors return.
    visitors.reserve(Math.floor(missing.size * SEGMENT_SIZE * 0.7));
    await fetchSegments(client, accountId, [...missing.keys()], withEvents, (stored) => {
      const row = missing.get(stored.segment);
      if (row) loaded.set(row.segment, cache.set(accountId, row, stored, withEvents, visitors));
    });
    const changed = (await findChangedSessions(client, { account_id: accountId })).map((row) => row.session_number);
    for (const [segment, numbers] of Map.groupBy(changed, segmentOf)) {
      const offsets = new Set(numbers.map((number) => number % SEGMENT_SIZE));
      const outdated = loaded.get(segment);
      if (outdated) loaded.set(segment, openSegment(withoutSessions(outdated, offsets), visitors));
    }
    const names = new ReportNames(client, accountId);
    const fresh = await encodeChanged(client, accountId, changed, names);
    const segments = [...loaded.values(), ...fresh.map((segment) => openSegment(segment, visitors))];
    return { segments, visitors: visitors.size, names };
  } finally {
    await client.query('commit');
  }
}

const segmentOf = (number: number) => Math.floor(number / SEGMENT_SIZE);

async function fetchSegments(
  client: pg.ClientBase,
  accountId: string,
  segments: number[],
  withEvents: boolean,
  onSegment: (stored: StoredSegment) => void,
): Promise<void> {
  if (segments.length === 0) return;
  const sql = `select segment, sessions, visits, ${withEvents ? 'events' : "''::bytea"} from analytics_segments
    where account_id = ${pg.escapeLiteral(accountId)} and segment in (${segments.join(',')})`;
  await copyRows(client, sql, 4, ({ bytes, starts, lengths }) => {
    const value = (i: number) => bytes.subarray(starts[i], (starts[i] ?? 0) + (lengths[i] ?? 0));
    const segment = Number(value(0).readBigInt64BE());
    onSegment({ segment, sessions: toRows(value(1)), visits: toRows(value(2)), events: toRows(value(3)) });
  });
}

/** Encodes changed sessions as segments of their own. */
async function encodeChanged(
  tx: Tx,
  accountId: string,
  changed: number[],
  names: ReportNames,
): Promise<StoredSegment[]> {
  const rows = await readSessions(tx, accountId, changed);
  const idOf = await names.idsOf(namesIn(rows));
  const sessions = Map.groupBy(rows.sessions, ({ number }) => segmentOf(number));
  const visits = Map.groupBy(rows.visits, ({ number }) => segmentOf(number));
  const events = Map.groupBy(rows.events, ({ number }) => segmentOf(number));
  return [...sessions].map(([segment, inSegment]) =>
    encodeSegment(
      segment,
      { sessions: inSegment, visits: visits.get(segment) ?? [], events: events.get(segment) ?? [] },
      idOf,
    ),
  );
}
