import { type Dimension, PLATFORMS, SINGLE_VALUED } from '../dimensions.ts';
import type { Rows } from './read-sessions.ts';
import type { ItemRow, SessionRow } from './source-queries.ts';
import type { VisitorNumbers } from './visitors.ts';

/** A segment holds the sessions whose number divided by this gives the number of the segment. */
export const SEGMENT_SIZE = 1_024;

/** Times are stored as seconds since 2000, which fit into 32 bits until 2068. */
const EPOCH_S = 946_684_800;

/**
 * The columns of a segment as it is stored: 32-bit numbers, of which a report scans millions in the time that PostgreSQL
 * takes for the first rows. Texts are ids of `analytics_names`; 0 is none.
 *
 * - Session: `tag` (offset in the segment, flags, one bit for each platform), visitor (2), start, and its texts in the order
 *   of `SINGLE_VALUED`.
 * - Visit: `tag` (offset, flags, milliseconds), second, page. Ordered by session, then by time.
 * - Event: `tag`, second, name, funnel. Ordered by session, then by time.
 */
export interface StoredSegment {
  segment: number;
  sessions: Int32Array;
  visits: Int32Array;
  /** Empty when the events were not loaded. */
  events: Int32Array;
}

/** A segment in memory. */
export interface Segment extends StoredSegment {
  /** The number of each session's visitor, valid as long as the segment is in memory. */
  visitors: Int32Array;
  /** The first and the last second in which a session started or was visited. */
  first: number;
  last: number;
}

/** The first text of a session. */
const FIRST_TEXT = 4;
const TEXT_COLUMNS = Object.values(SINGLE_VALUED);

export const SESSION_STRIDE = FIRST_TEXT + TEXT_COLUMNS.length;
export const VISIT_STRIDE = 3;
export const EVENT_STRIDE = 4;

/** Columns of a session. */
export const VISITOR = 1;
export const START = 3;

/** The column of a session that holds a dimension with one value. */
export const SESSION_COLUMNS: Partial<Record<Dimension, number>> = Object.fromEntries(
  Object.keys(SINGLE_VALUED).map((name, i) => [name, FIRST_TEXT + i]),
);

const FLAGS_SHIFT = 10;
export const IS_BOT = 1 << FLAGS_SHIFT;
export const IS_INTERNAL = 2 << FLAGS_SHIFT;
/** The session was deleted and has left visits or events behind. */
export const IS_DELETED = 4 << FLAGS_SHIFT;
const REST_SHIFT = 13;

export const offsetOf = (tag: number) => tag & (SEGMENT_SIZE - 1);
/** Platforms as bits, in the order of `PLATFORMS`. */
export const platformsOf = (tag: number) => tag >>> REST_SHIFT;

/** The time of a visit or an event in milliseconds since 1970. */
export const timeOf = (tag: number, second: number) => (second + EPOCH_S) * 1_000 + (tag >>> REST_SHIFT);
export const secondOf = (ms: number) => Math.floor(ms / 1_000) - EPOCH_S;

/** Encodes the sessions of one segment. @param idOf the id of a text, 0 for null */
export function encodeSegment(segment: number, rows: Rows, idOf: (name: string | null) => number): StoredSegment {
  return {
    segment,
    sessions: encodeRows(rows.sessions, SESSION_STRIDE, (session) => {
      const platforms = session.platforms.reduce((bits, name) => bits | (1 << PLATFORMS.indexOf(name)), 0);
      return [
        tagOf(session, platforms) | (session.is_deleted ? IS_DELETED : 0),
        session.visitor_high,
        session.visitor_low,
        secondOf(session.started_at.getTime()),
        ...TEXT_COLUMNS.map((name) => idOf(session[name])),
      ];
    }),
    visits: encodeRows(rows.visits, VISIT_STRIDE, (visit) => [...itemColumns(visit), idOf(visit.name)]),
    events: encodeRows(rows.events, EVENT_STRIDE, (event) => [
      ...itemColumns(event),
      idOf(event.name),
      idOf(event.funnel),
    ]),
  };
}

function encodeRows<Row>(rows: readonly Row[], stride: number, columnsOf: (row: Row) => number[]): Int32Array {
  const encoded = new Int32Array(rows.length * stride);
  rows.forEach((row, i) => {
    encoded.set(columnsOf(row), i * stride);
  });
  return encoded;
}

function tagOf({ number, is_bot, is_internal }: SessionRow | ItemRow, rest: number): number {
  return (number % SEGMENT_SIZE) | (is_bot ? IS_BOT : 0) | (is_internal ? IS_INTERNAL : 0) | (rest << REST_SHIFT);
}

function itemColumns(item: ItemRow): [tag: number, second: number] {
  const at = item.at.getTime();
  return [tagOf(item, ((at % 1_000) + 1_000) % 1_000), secondOf(at)];
}

/** Replaces the sessions at these offsets by those of `fresh`. */
export function replaceSessions(old: StoredSegment, offsets: ReadonlySet<number>, fresh: StoredSegment): StoredSegment {
  const others = withoutSessions(old, offsets);
  return mapLists(others, (rows, stride, list) => mergeByOffset(rows, fresh[list], stride));
}

export function withoutSessions(stored: StoredSegment, offsets: ReadonlySet<number>): StoredSegment {
  return mapLists(stored, (rows, stride) => withoutOffsets(rows, stride, offsets));
}

type List = 'sessions' | 'visits' | 'events';

function mapLists(
  { segment, sessions, visits, events }: StoredSegment,
  map: (rows: Int32Array, stride: number, list: List) => Int32Array,
): StoredSegment {
  return {
    segment,
    sessions: map(sessions, SESSION_STRIDE, 'sessions'),
    visits: map(visits, VISIT_STRIDE, 'visits'),
    events: map(events, EVENT_STRIDE, 'events'),
  };
}

function withoutOffsets(rows: Int32Array, stride: number, offsets: ReadonlySet<number>): Int32Array {
  const result = new Int32Array(rows.length);
  let end = 0;
  for (let i = 0; i < rows.length; i += stride) {
    if (offsets.has(offsetOf(rows[i] ?? 0))) continue;
    for (let j = 0; j < stride; j++) result[end++] = rows[i + j] ?? 0;
  }
  return result.subarray(0, end);
}

/** Merges two lists that are ordered by offset and share none. */
function mergeByOffset(a: Int32Array, b: Int32Array, stride: number): Int32Array {
  const merged = new Int32Array(a.length + b.length);
  let [i, j] = [0, 0];
  for (let end = 0; end < merged.length; end += stride) {
    if (j >= b.length || (i < a.length && offsetOf(a[i] ?? 0) < offsetOf(b[j] ?? 0))) {
      merged.set(a.subarray(i, i + stride), end);
      i += stride;
    } else {
      merged.set(b.subarray(j, j + stride), end);
      j += stride;
    }
  }
  return merged;
}

/** Prepares a stored segment for reports: numbers its visitors. */
export function openSegment(stored: StoredSegment, numbers: VisitorNumbers): Segment {
  const { sessions, visits } = stored;
  const visitors = new Int32Array(sessions.length / SESSION_STRIDE);
  for (let i = 0, at = VISITOR; i < visitors.length; i++, at += SESSION_STRIDE) {
    visitors[i] = numbers.numberOf(sessions[at] ?? 0, sessions[at + 1] ?? 0);
  }
  const [first, last] = rangeOf([sessions, SESSION_STRIDE, START], [visits, VISIT_STRIDE, 1]);
  return { ...stored, visitors, first, last };
}

/** The smallest and the largest value of a column of several lists. */
function rangeOf(...lists: [rows: Int32Array, stride: number, column: number][]): [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [rows, stride, column] of lists) {
    for (let i = column; i < rows.length; i += stride) {
      const value = rows[i] ?? 0;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return [min, max];
}

/** When the sessions of a segment started or were visited, and when they had events; null: never. To the second. */
export function timeRangesOf({ sessions, visits, events }: StoredSegment) {
  const [firstAt, lastAt] = datesOf(rangeOf([sessions, SESSION_STRIDE, START], [visits, VISIT_STRIDE, 1]));
  const [firstEventAt, lastEventAt] = datesOf(rangeOf([events, EVENT_STRIDE, 1]));
  return { first_at: firstAt, last_at: lastAt, first_event_at: firstEventAt, last_event_at: lastEventAt };
}

function datesOf([min, max]: [number, number]): [Date | null, Date | null] {
  return min > max ? [null, null] : [new Date((min + EPOCH_S) * 1_000), new Date((max + EPOCH_S) * 1_000 + 999)];
}

export function toBuffer(rows: Int32Array): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
}

/** Copies, because the buffer may be the driver's and its start unaligned. */
export function toRows(bytes: Uint8Array): Int32Array {
  const rows = new Int32Array(bytes.length / 4);
  new Uint8Array(rows.buffer).set(bytes);
  return rows;
}
