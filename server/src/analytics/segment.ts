import { PLATFORMS } from './dimensions.ts';
import type { VisitorNumbers } from './visitor-set.ts';

/** Sessions whose numbers have this quotient are packed together. */
export const SEGMENT_SIZE = 1_024;

/** Times are counted in whole seconds from here on, so that they fit into 32 bits until 2068. */
const EPOCH_S = 946_684_800;

/**
 * Up to 1,024 sessions with all they did, as 32-bit numbers: a report reads millions of them in the time that the database
 * takes for the first rows. Texts are numbers of `analytics_names`; 0 is none.
 *
 * - A session: `tag` (offset in the segment, marks, and a bit for each kind of click id), the visitor (2), begin, source,
 *   medium, campaign, landing page, country, device.
 * - A visit: `tag` (offset, marks, milliseconds), second, page. By session, then by time.
 * - An event: `tag`, second, name, funnel. By session, then by time.
 */
export interface Segment {
  segment: number;
  sessions: Int32Array;
  visits: Int32Array;
  /** Empty where they were not asked for. */
  events: Int32Array;
  /** A number for the visitor of each session, good for as long as it is in memory. */
  visitors: Int32Array;
  /** The seconds in which a session of it began, or was visited, first and last. */
  first: number;
  last: number;
}

/** As it is kept. */
export type PackedSegment = Pick<Segment, 'segment' | 'sessions' | 'visits' | 'events'>;

export const SESSION_STRIDE = 10;
export const VISIT_STRIDE = 3;
export const EVENT_STRIDE = 4;

/** Places in a session. */
export const VISITOR = 1;
export const BEGIN = 3;
export const SOURCE = 4;
export const MEDIUM = 5;
export const CAMPAIGN = 6;
export const LANDING_PAGE = 7;
export const COUNTRY = 8;
export const DEVICE = 9;

const MARKS_AT = 10;
export const IS_BOT = 1 << MARKS_AT;
export const IS_INTERNAL = 2 << MARKS_AT;
/** Of a session that was deleted before its last visits: it has no more than those. */
export const IS_GONE = 4 << MARKS_AT;
const REST_AT = 13;

export const offsetOf = (tag: number) => tag & (SEGMENT_SIZE - 1);
/** Kinds of click ids: a bit for each, in the interface's order. */
export const platformsOf = (tag: number) => tag >>> REST_AT;
const millisecondsOf = (tag: number) => tag >>> REST_AT;

/** Milliseconds since 1970 of a visit or an event. */
export const timeOf = (tag: number, second: number) => (second + EPOCH_S) * 1_000 + millisecondsOf(tag);
/** The second that a time lies in. */
export const secondOf = (ms: number) => Math.floor(ms / 1_000) - EPOCH_S;

/** A session as the database has it; null and 0 where it is gone. */
export interface SessionFacts {
  number: number;
  visitor: readonly [number, number];
  /** Milliseconds since 1970. */
  startedAt: number;
  isBot: boolean;
  isInternal: boolean;
  platforms: readonly string[];
  source: string | null;
  medium: string | null;
  campaign: string | null;
  landingPage: string | null;
  country: string | null;
  device: string | null;
  isGone?: boolean;
}

/** A visit (`name` is its page) or an event. */
export interface ItemFacts {
  number: number;
  at: number;
  isBot: boolean;
  isInternal: boolean;
  name: string | null;
  funnel: string | null;
}

export interface Facts {
  sessions: SessionFacts[];
  visits: ItemFacts[];
  events: ItemFacts[];
}

/** Packs what sessions of one segment consist of, each list in the order of session numbers. */
export function packFacts(segment: number, facts: Facts, idOf: (name: string | null) => number): PackedSegment {
  const sessions = new Int32Array(facts.sessions.length * SESSION_STRIDE);
  facts.sessions.forEach((session, i) => {
    const kinds = session.platforms.reduce((bits, name) => bits | (1 << PLATFORMS.indexOf(name)), 0);
    sessions.set(
      [
        tagOf(session, kinds) | (session.isGone ? IS_GONE : 0),
        ...session.visitor,
        secondOf(session.startedAt),
        idOf(session.source),
        idOf(session.medium),
        idOf(session.campaign),
        idOf(session.landingPage),
        idOf(session.country),
        idOf(session.device),
      ],
      i * SESSION_STRIDE,
    );
  });
  const visits = new Int32Array(facts.visits.length * VISIT_STRIDE);
  facts.visits.forEach((visit, i) => {
    visits.set([itemTag(visit), secondOf(visit.at), idOf(visit.name)], i * VISIT_STRIDE);
  });
  const events = new Int32Array(facts.events.length * EVENT_STRIDE);
  facts.events.forEach((event, i) => {
    events.set([itemTag(event), secondOf(event.at), idOf(event.name), idOf(event.funnel)], i * EVENT_STRIDE);
  });
  return { segment, sessions, visits, events };
}

function tagOf({ number, isBot, isInternal }: Pick<ItemFacts, 'number' | 'isBot' | 'isInternal'>, rest: number) {
  return (number % SEGMENT_SIZE) | (isBot ? IS_BOT : 0) | (isInternal ? IS_INTERNAL : 0) | (rest << REST_AT);
}

function itemTag(item: ItemFacts): number {
  return tagOf(item, ((item.at % 1_000) + 1_000) % 1_000);
}

/** A segment in which the sessions of these offsets are as `fresh` has them. */
export function replaceSessions(old: PackedSegment, offsets: ReadonlySet<number>, fresh: PackedSegment): PackedSegment {
  const kept = withoutSessions(old, offsets);
  return {
    segment: old.segment,
    sessions: mergeRows(kept.sessions, fresh.sessions, SESSION_STRIDE),
    visits: mergeRows(kept.visits, fresh.visits, VISIT_STRIDE),
    events: mergeRows(kept.events, fresh.events, EVENT_STRIDE),
  };
}

export function withoutSessions(
  { segment, sessions, visits, events }: PackedSegment,
  offsets: ReadonlySet<number>,
): PackedSegment {
  return {
    segment,
    sessions: withoutOffsets(sessions, SESSION_STRIDE, offsets),
    visits: withoutOffsets(visits, VISIT_STRIDE, offsets),
    events: withoutOffsets(events, EVENT_STRIDE, offsets),
  };
}

function withoutOffsets(rows: Int32Array, stride: number, offsets: ReadonlySet<number>): Int32Array {
  const kept = new Int32Array(rows.length);
  let end = 0;
  for (let i = 0; i < rows.length; i += stride) {
    if (offsets.has(offsetOf(rows[i] ?? 0))) continue;
    for (let j = 0; j < stride; j++) kept[end++] = rows[i + j] ?? 0;
  }
  return kept.subarray(0, end);
}

/** Both in the order of offsets, of which they share none. */
function mergeRows(one: Int32Array, other: Int32Array, stride: number): Int32Array {
  const merged = new Int32Array(one.length + other.length);
  let [i, j] = [0, 0];
  for (let end = 0; end < merged.length; end += stride) {
    const fromOne = j >= other.length || (i < one.length && offsetOf(one[i] ?? 0) < offsetOf(other[j] ?? 0));
    if (fromOne) {
      merged.set(one.subarray(i, i + stride), end);
      i += stride;
    } else {
      merged.set(other.subarray(j, j + stride), end);
      j += stride;
    }
  }
  return merged;
}

/** Numbers the visitors of its sessions. */
export function withVisitors(packed: PackedSegment, numbers: VisitorNumbers): Segment {
  const { sessions } = packed;
  const visitors = new Int32Array(sessions.length / SESSION_STRIDE);
  for (let i = 0, at = VISITOR; i < visitors.length; i++, at += SESSION_STRIDE) {
    visitors[i] = numbers.numberOf(sessions[at] ?? 0, sessions[at + 1] ?? 0);
  }
  const [first, last] = spanOf([sessions, SESSION_STRIDE, BEGIN], [packed.visits, VISIT_STRIDE, 1]);
  return { ...packed, visitors, first, last };
}

/** The least and the most of a column of some lists. */
function spanOf(...lists: [rows: Int32Array, stride: number, at: number][]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [rows, stride, at] of lists) {
    for (let i = at; i < rows.length; i += stride) {
      const value = rows[i] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most];
}

/** From and to when it was visited (or begun), and from and to when it had events; null: never. In milliseconds, roughly. */
export function spansOf({ sessions, visits, events }: PackedSegment): (number | null)[] {
  const spans = [
    spanOf([sessions, SESSION_STRIDE, BEGIN], [visits, VISIT_STRIDE, 1]),
    spanOf([events, EVENT_STRIDE, 1]),
  ];
  return spans.flatMap(([least, most]) =>
    least > most ? [null, null] : [(least + EPOCH_S) * 1_000, (most + EPOCH_S) * 1_000 + 999],
  );
}

export function bytesOf(rows: Int32Array): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
}

/** A copy: the buffer may be the driver's own, and begin anywhere. */
export function rowsOf(bytes: Uint8Array): Int32Array {
  const rows = new Int32Array(bytes.length / 4);
  new Uint8Array(rows.buffer).set(bytes);
  return rows;
}
