import { PLATFORMS, SINGLE_VALUED } from '../dimensions.ts';
import { type ColumnReader, decodeColumn, encodeColumn, endOfColumn, lengthOfColumn } from './column-codec.ts';
import type { Rows } from './read-sessions.ts';
import type { ItemRow, SessionRow } from './source-queries.ts';

/** A segment holds the sessions whose number divided by this gives the number of the segment. */
export const SEGMENT_SIZE = 1_024;

/** Times are stored as seconds since 2000, which fit into 32 bits until 2068. */
const EPOCH_S = 946_684_800;

type TextColumn = (typeof SINGLE_VALUED)[keyof typeof SINGLE_VALUED];
const TEXT_COLUMNS: readonly TextColumn[] = Object.values(SINGLE_VALUED);

const SESSION_COLUMNS = [
  ...(['offset', 'flags', 'start', 'span', 'visits', 'events', 'platforms', 'visitorHigh', 'visitorLow'] as const),
  ...TEXT_COLUMNS,
];
const VISIT_COLUMNS = ['visitFlags', 'visitSecond', 'visitMs', 'page'] as const;
const EVENT_COLUMNS = ['eventFlags', 'eventSecond', 'eventMs', 'event', 'funnel'] as const;

/**
 * A column of 32-bit numbers, one for each session, visit or event of a segment. Texts are ids of `analytics_names`; 0 is none.
 *
 * - Session, by number: `offset` in the segment, `flags`, `start` (second), `span` (seconds from its first to its last visit),
 *   the number of its `visits` and `events`, `platforms` (a bit for each), its visitor (two halves), and its texts.
 * - Visit and event, by session, then by time: flags, seconds since the start of the session, milliseconds, texts.
 */
export type Column = (typeof SESSION_COLUMNS)[number] | (typeof VISIT_COLUMNS)[number] | (typeof EVENT_COLUMNS)[number];

/** What is stored, loaded and cached together, in a column of `analytics_segments`: what the same reports need. */
const PART_COLUMNS = {
  core: ['offset', 'flags', 'start', 'span', 'visits', 'events', 'platforms'],
  visitors: ['visitorHigh', 'visitorLow'],
  visits: ['visitFlags', 'visitSecond'],
  pages: ['page'],
  events: ['eventFlags', 'eventSecond'],
  event_names: ['event'],
  event_funnels: ['funnel'],
  milliseconds: ['visitMs', 'eventMs'],
  ...(Object.fromEntries(TEXT_COLUMNS.map((name) => [name, [name]])) as Record<TextColumn, [TextColumn]>),
} as const satisfies Record<string, readonly Column[]>;
export type Part = keyof typeof PART_COLUMNS;
export const PARTS = Object.keys(PART_COLUMNS) as Part[];

const PLACES = Object.fromEntries(
  PARTS.flatMap((part) => PART_COLUMNS[part].map((column, index) => [column, { part, index }] as const)),
) as Record<Column, { part: Part; index: number }>;

export const IS_BOT = 1;
export const IS_INTERNAL = 2;
/** The session was deleted and has left visits or events behind. */
export const IS_DELETED = 4;
/** The session starts with its first visit, and its visits have its flags: most need no look at their visits. */
export const IS_PLAIN = 8;

/** The time of a visit or an event in milliseconds since 1970. */
export const timeOf = (second: number, ms: number) => (second + EPOCH_S) * 1_000 + ms;
export const secondOf = (ms: number) => Math.floor(ms / 1_000) - EPOCH_S;

/** All columns of a segment. */
type SegmentColumns = Record<Column, Int32Array>;

/** Encoded parts, as far as they are loaded. */
export type SegmentParts = Partial<Record<Part, Uint8Array | undefined>>;

/** @param idOf the id of a text, 0 for null */
export function toColumns(rows: Rows, idOf: (name: string | null) => number): SegmentColumns {
  const { sessions, visits, events } = rows;
  const visitsOf = Map.groupBy(visits, ({ number }) => number);
  const eventsOf = Map.groupBy(events, ({ number }) => number);
  const described = sessions.map((session) =>
    describe(session, visitsOf.get(session.number) ?? [], eventsOf.get(session.number) ?? []),
  );
  const startOf = new Map(described.map(({ number, start }) => [number, start]));
  const since = ({ number, at }: ItemRow) => secondOf(at.getTime()) - (startOf.get(number) ?? 0);
  const msOf = ({ at }: ItemRow) => ((at.getTime() % 1_000) + 1_000) % 1_000;
  const column = <Row>(from: readonly Row[], read: (row: Row) => number) => Int32Array.from(from, read);
  return {
    offset: column(sessions, ({ number }) => number % SEGMENT_SIZE),
    flags: column(described, ({ flags }) => flags),
    start: column(described, ({ start }) => start),
    span: column(described, ({ span }) => span),
    visits: column(described, (session) => session.visits),
    events: column(described, (session) => session.events),
    platforms: column(sessions, ({ platforms }) =>
      platforms.reduce((bits, name) => bits | (1 << PLATFORMS.indexOf(name)), 0),
    ),
    visitorHigh: column(sessions, ({ visitor_high }) => visitor_high),
    visitorLow: column(sessions, ({ visitor_low }) => visitor_low),
    ...(Object.fromEntries(
      TEXT_COLUMNS.map((name) => [name, column(sessions, (session) => idOf(session[name]))]),
    ) as Record<TextColumn, Int32Array>),
    visitFlags: column(visits, flagsOf),
    visitSecond: column(visits, since),
    visitMs: column(visits, msOf),
    page: column(visits, ({ name }) => idOf(name)),
    eventFlags: column(events, flagsOf),
    eventSecond: column(events, since),
    eventMs: column(events, msOf),
    event: column(events, ({ name }) => idOf(name)),
    funnel: column(events, ({ funnel }) => idOf(funnel)),
  };
}

function describe(session: SessionRow, visits: readonly ItemRow[], events: readonly ItemRow[]) {
  const seconds = visits.map(({ at }) => secondOf(at.getTime()));
  const [first, last] = [seconds[0], seconds.at(-1)];
  // A deleted session has no start of its own; close to its visits it takes fewer bytes.
  const ownStart = secondOf((session.is_deleted ? (visits[0] ?? events[0])?.at : session.started_at)?.getTime() ?? 0);
  const flags = flagsOf(session);
  const isPlain = !session.is_deleted && first === ownStart && visits.every((visit) => flagsOf(visit) === flags);
  return {
    number: session.number,
    start: ownStart,
    span: first === undefined || last === undefined ? 0 : last - first,
    flags: flags | (session.is_deleted ? IS_DELETED : 0) | (isPlain ? IS_PLAIN : 0),
    visits: visits.length,
    events: events.length,
  };
}

function flagsOf({ is_bot, is_internal }: SessionRow | ItemRow): number {
  return (is_bot ? IS_BOT : 0) | (is_internal ? IS_INTERNAL : 0);
}

export function encodeSegment(columns: SegmentColumns): Record<Part, Buffer> {
  return Object.fromEntries(
    PARTS.map((part) => [part, Buffer.concat(PART_COLUMNS[part].map((name) => encodeColumn(columns[name])))]),
  ) as Record<Part, Buffer>;
}

export function decodeSegment(parts: Record<Part, Uint8Array>): SegmentColumns {
  const columns = (Object.keys(PLACES) as Column[]).map((name) => {
    const values = new Int32Array(lengthOf(parts, name));
    decode(parts, name, values);
    return [name, values];
  });
  return Object.fromEntries(columns);
}

/** The number of values of a column. */
export function lengthOf(parts: SegmentParts, column: Column): number {
  const { bytes, at } = locate(parts, column);
  return lengthOfColumn(bytes, at);
}

/** Decodes a column into the start of `values`. */
export function decode(parts: SegmentParts, column: Column, values: Int32Array): void {
  const { bytes, at } = locate(parts, column);
  decodeColumn(bytes, at, values);
}

/** Lets a reader read a column. */
export function showColumn(parts: SegmentParts, column: Column, reader: ColumnReader): void {
  const { bytes, at } = locate(parts, column);
  reader.show(bytes, at);
}

function locate(parts: SegmentParts, column: Column): { bytes: Uint8Array; at: number } {
  const { part, index } = PLACES[column];
  const bytes = parts[part];
  if (bytes === undefined) throw new Error(`the report needs "${part}", which it did not load`);
  let at = 0;
  for (let i = 0; i < index; i++) at = endOfColumn(bytes, at);
  return { bytes, at };
}

/** Replaces the sessions at these offsets by those of `fresh`. */
export function replaceSessions(
  old: SegmentColumns,
  offsets: ReadonlySet<number>,
  fresh: SegmentColumns,
): SegmentColumns {
  const sessions = [...sessionsIn(old).filter(({ offset }) => !offsets.has(offset)), ...sessionsIn(fresh)].sort(
    (a, b) => a.offset - b.offset,
  );
  const gather = (names: readonly Column[], rangeOf: (session: PlacedSession) => [from: number, to: number]) =>
    names.map((name) => {
      const values = sessions.flatMap((session) => [...session.from[name].subarray(...rangeOf(session))]);
      return [name, Int32Array.from(values)] as const;
    });
  return Object.fromEntries([
    ...gather(SESSION_COLUMNS, ({ index }) => [index, index + 1]),
    ...gather(VISIT_COLUMNS, ({ visits }) => visits),
    ...gather(EVENT_COLUMNS, ({ events }) => events),
  ]) as SegmentColumns;
}

interface PlacedSession {
  from: SegmentColumns;
  offset: number;
  index: number;
  visits: [from: number, to: number];
  events: [from: number, to: number];
}

function sessionsIn(columns: SegmentColumns): PlacedSession[] {
  let [visit, event] = [0, 0];
  return Array.from(columns.offset, (offset, index) => {
    const [firstVisit, firstEvent] = [visit, event];
    visit += columns.visits[index] ?? 0;
    event += columns.events[index] ?? 0;
    return { from: columns, offset, index, visits: [firstVisit, visit], events: [firstEvent, event] };
  });
}

/** The first and the last second in which sessions started or were visited, and in which they had events. */
export function timeRangesOf(columns: SegmentColumns) {
  const visited = new TimeRange();
  const active = new TimeRange();
  const { start, flags, visitSecond, eventSecond } = columns;
  for (const { index, visits, events } of sessionsIn(columns)) {
    const startsAt = start[index] ?? 0;
    if (((flags[index] ?? 0) & IS_DELETED) === 0) visited.add(startsAt);
    for (let i = visits[0]; i < visits[1]; i++) visited.add(startsAt + (visitSecond[i] ?? 0));
    for (let i = events[0]; i < events[1]; i++) active.add(startsAt + (eventSecond[i] ?? 0));
  }
  const [firstAt, lastAt] = visited.toDates();
  const [firstEventAt, lastEventAt] = active.toDates();
  return { first_at: firstAt, last_at: lastAt, first_event_at: firstEventAt, last_event_at: lastEventAt };
}

class TimeRange {
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(second: number): void {
    if (second < this.#first) this.#first = second;
    if (second > this.#last) this.#last = second;
  }

  /** Both null if there was nothing. */
  toDates(): [Date | null, Date | null] {
    if (this.#first > this.#last) return [null, null];
    return [new Date(timeOf(this.#first, 0)), new Date(timeOf(this.#last, 999))];
  }
}
