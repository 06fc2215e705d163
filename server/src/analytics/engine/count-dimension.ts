import { type Dimension, PLATFORMS } from '../dimensions.ts';
import {
  EVENT_STRIDE,
  IS_DELETED,
  offsetOf,
  platformsOf,
  SEGMENT_SIZE,
  SESSION_COLUMNS,
  SESSION_STRIDE,
  type Segment,
  VISIT_STRIDE,
} from './segment.ts';
import type { DistinctVisitors } from './visitors.ts';

export interface SessionCounts {
  visits: number;
  visitors: number;
  sessions: number;
  /** Of these sessions: those with a single visit, all of their visits, and the seconds from the first to the last one. */
  bounces: number;
  sessionVisits: number;
  seconds: number;
  /** Only counted by `event` and `funnel`. */
  events: number;
}

export function noCounts(): SessionCounts {
  return { visits: 0, visitors: 0, sessions: 0, bounces: 0, sessionVisits: 0, seconds: 0, events: 0 };
}

/** What is known of the sessions of one segment, by offset. */
export class SegmentState {
  /** The position of a session that passes the filters, from 1; 0: it does not. */
  readonly position = new Int32Array(SEGMENT_SIZE);
  /** Whether it started in the period. */
  readonly started = new Uint8Array(SEGMENT_SIZE);
  /** Its visits in the period. */
  readonly visits = new Int32Array(SEGMENT_SIZE);
  /** Of a session that started in the period: all of its visits, and when the first and the last one happened. */
  readonly allVisits = new Int32Array(SEGMENT_SIZE);
  readonly first = new Int32Array(SEGMENT_SIZE);
  readonly last = new Int32Array(SEGMENT_SIZE);

  clear(): void {
    this.position.fill(0);
    this.started.fill(0);
    this.visits.fill(0);
    this.allVisits.fill(0);
  }

  /** Counts a session if it started in the period. */
  addStarted(offset: number, counts: SessionCounts): void {
    if (this.started[offset] === 0) return;
    const visits = this.allVisits[offset] ?? 0;
    counts.sessions++;
    counts.sessionVisits += visits;
    if (visits === 1) counts.bounces++;
    else if (visits > 1) counts.seconds += (this.last[offset] ?? 0) - (this.first[offset] ?? 0);
  }
}

/** Ids below this are found in an array, the others in a map. */
const SMALL_IDS = 65_536;

/** In seconds, as segments store them, and the flags of traffic that does not count. */
interface Scope {
  from: number;
  to: number;
  excluded: number;
}

/** Counts sessions, visits, visitors and events by the values of one dimension. */
export class DimensionCounter {
  readonly dimension: Dimension;
  readonly #scope: Scope;
  readonly #slotOfSmallId = new Int32Array(SMALL_IDS);
  readonly #slotOfId = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #counts: SessionCounts[] = [];
  /** For each value the serial number of the session that counted last: a session counts once. */
  readonly #lastSerial: number[] = [];
  readonly #distinct: DistinctVisitors;
  readonly #groups: number[] = [];
  #serial = 0;

  constructor(dimension: Dimension, distinct: DistinctVisitors, scope: Scope) {
    this.dimension = dimension;
    this.#scope = scope;
    this.#distinct = distinct;
  }

  add(segment: Segment, state: SegmentState): void {
    const column = SESSION_COLUMNS[this.dimension];
    if (column !== undefined) this.#addSingle(segment, state, column);
    else if (this.dimension === 'platform') this.#addPlatforms(segment, state);
    else if (this.dimension === 'page') this.#addPages(segment, state);
    else this.#addEvents(segment, state, this.dimension === 'event' ? 2 : 3);
  }

  result(): Map<number, SessionCounts> {
    const entries = this.#ids.map((id, slot) => [id, this.#counts[slot] as SessionCounts] as const);
    return new Map(entries.filter(([, { visits, sessions, events }]) => visits + sessions + events > 0));
  }

  #addSingle(segment: Segment, state: SegmentState, column: number): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      if (state.position[offsetOf(rows[i] ?? 0)] === 0) continue;
      this.#addSession(segment, i, state, this.#slotOf(rows[i + column] ?? 0));
    }
  }

  #addPlatforms(segment: Segment, state: SegmentState): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      const tag = rows[i] ?? 0;
      if (state.position[offsetOf(tag)] === 0) continue;
      const platforms = platformsOf(tag);
      if (platforms === 0) this.#addSession(segment, i, state, this.#slotOf(0));
      for (let bit = 0; bit < PLATFORMS.length; bit++) {
        if ((platforms & (1 << bit)) !== 0) this.#addSession(segment, i, state, this.#slotOf(bit + 1));
      }
    }
  }

  /** By page, visits and visitors are those of the page itself. */
  #addPages(segment: Segment, state: SegmentState): void {
    const { visits, sessions } = segment;
    const hasValue = new Uint8Array(SEGMENT_SIZE);
    let currentOffset = -1;
    for (let i = 0; i < visits.length; i += VISIT_STRIDE) {
      const tag = visits[i] ?? 0;
      const offset = offsetOf(tag);
      const session = (state.position[offset] ?? 0) - 1;
      if (session < 0) continue;
      if (offset !== currentOffset) this.#serial++;
      currentOffset = offset;
      hasValue[offset] = 1;
      const slot = this.#slotOf(visits[i + 2] ?? 0);
      const counts = this.#counts[slot] as SessionCounts;
      if (this.#isFirstOfSession(slot)) state.addStarted(offset, counts);
      if (!this.#isInScope(tag, visits[i + 1] ?? 0)) continue;
      counts.visits++;
      if (((sessions[session] ?? 0) & IS_DELETED) !== 0) continue;
      if (this.#distinct.add(segment.visitors[session / SESSION_STRIDE] ?? 0, this.#groups[slot] ?? 0))
        counts.visitors++;
    }
    this.#addWithoutValue(segment, state, hasValue);
  }

  #addEvents(segment: Segment, state: SegmentState, column: number): void {
    const { events } = segment;
    const hasValue = new Uint8Array(SEGMENT_SIZE);
    let currentOffset = -1;
    for (let i = 0; i < events.length; i += EVENT_STRIDE) {
      const tag = events[i] ?? 0;
      const offset = offsetOf(tag);
      const session = (state.position[offset] ?? 0) - 1;
      if (session < 0) continue;
      if (offset !== currentOffset) this.#serial++;
      currentOffset = offset;
      const id = events[i + column] ?? 0;
      const slot = this.#slotOf(id);
      if (id !== 0) {
        hasValue[offset] = 1;
        if (this.#isFirstOfSession(slot)) this.#addSession(segment, session, state, slot);
      }
      if (this.#isInScope(tag, events[i + 1] ?? 0)) (this.#counts[slot] as SessionCounts).events++;
    }
    this.#addWithoutValue(segment, state, hasValue);
  }

  #addWithoutValue(segment: Segment, state: SegmentState, hasValue: Uint8Array): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      const offset = offsetOf(rows[i] ?? 0);
      if (state.position[offset] !== 0 && hasValue[offset] === 0) {
        this.#addSession(segment, i, state, this.#slotOf(0));
      }
    }
  }

  /** Counts the session at a position, with its visits. */
  #addSession(segment: Segment, position: number, state: SegmentState, slot: number): void {
    const tag = segment.sessions[position] ?? 0;
    const offset = offsetOf(tag);
    const counts = this.#counts[slot] as SessionCounts;
    state.addStarted(offset, counts);
    const visits = state.visits[offset] ?? 0;
    if (visits === 0) return;
    counts.visits += visits;
    if ((tag & IS_DELETED) !== 0) return;
    if (this.#distinct.add(segment.visitors[position / SESSION_STRIDE] ?? 0, this.#groups[slot] ?? 0))
      counts.visitors++;
  }

  #isInScope(tag: number, second: number): boolean {
    const { from, to, excluded } = this.#scope;
    return second >= from && second < to && (tag & excluded) === 0;
  }

  #isFirstOfSession(slot: number): boolean {
    if (this.#lastSerial[slot] === this.#serial) return false;
    this.#lastSerial[slot] = this.#serial;
    return true;
  }

  #slotOf(id: number): number {
    const isSmall = id >= 0 && id < SMALL_IDS;
    const known = isSmall ? (this.#slotOfSmallId[id] ?? 0) - 1 : (this.#slotOfId.get(id) ?? -1);
    if (known >= 0) return known;
    const slot = this.#ids.push(id) - 1;
    if (isSmall) this.#slotOfSmallId[id] = slot + 1;
    else this.#slotOfId.set(id, slot);
    this.#counts.push(noCounts());
    this.#groups.push(this.#distinct.addGroup());
    this.#lastSerial.push(-1);
    return slot;
  }
}
