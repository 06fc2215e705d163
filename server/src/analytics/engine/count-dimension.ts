import { type Dimension, PLATFORMS, SINGLE_VALUED } from '../dimensions.ts';
import { IS_DELETED, SEGMENT_SIZE } from './segment.ts';
import type { SegmentView } from './segment-view.ts';
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

/** Adds up everything but visitors. */
export function addCounts(counts: SessionCounts, more: SessionCounts): void {
  counts.visits += more.visits;
  counts.sessions += more.sessions;
  counts.bounces += more.bounces;
  counts.sessionVisits += more.sessionVisits;
  counts.seconds += more.seconds;
  counts.events += more.events;
}

/** The values of a dimension that another thread has counted, with their groups of distinct visitors. */
export interface DimensionPart {
  ids: number[];
  counts: SessionCounts[];
  groups: number[];
}

/** What is known of the sessions of one segment, by index. */
export class SegmentState {
  /** Whether it passes the filters. */
  readonly passes = new Uint8Array(SEGMENT_SIZE);
  /** Whether it started in the period. */
  readonly started = new Uint8Array(SEGMENT_SIZE);
  /** Its visits in the period. */
  readonly visits = new Int32Array(SEGMENT_SIZE);
  /** Of a session that started in the period: all of its visits, and the seconds from the first to the last one. */
  readonly allVisits = new Int32Array(SEGMENT_SIZE);
  readonly seconds = new Int32Array(SEGMENT_SIZE);

  clear(): void {
    this.passes.fill(0);
    this.started.fill(0);
    this.visits.fill(0);
  }

  /** Counts a session if it started in the period. */
  addStarted(i: number, counts: SessionCounts): void {
    if (this.started[i] === 0) return;
    const visits = this.allVisits[i] ?? 0;
    counts.sessions++;
    counts.sessionVisits += visits;
    if (visits === 1) counts.bounces++;
    else if (visits > 1) counts.seconds += this.seconds[i] ?? 0;
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
  /** Of the sessions of the segment, and their visitors. */
  #flags: Int32Array = new Int32Array();
  #visitors: Int32Array = new Int32Array();

  constructor(dimension: Dimension, distinct: DistinctVisitors, scope: Scope) {
    this.dimension = dimension;
    this.#scope = scope;
    this.#distinct = distinct;
  }

  add(view: SegmentView, state: SegmentState): void {
    const { dimension } = this;
    this.#flags = view.column('flags');
    this.#visitors = view.segment.visitors;
    if (dimension === 'platform') this.#addPlatforms(view, state);
    else if (dimension === 'page') this.#addPages(view, state);
    else if (dimension === 'event' || dimension === 'funnel') this.#addEvents(view, state, dimension);
    else this.#addSingle(view, state, view.column(SINGLE_VALUED[dimension]));
  }

  get part(): DimensionPart {
    return { ids: this.#ids, counts: this.#counts, groups: this.#groups };
  }

  /** Adds what another thread has counted, except visitors. Returns the own groups and counts of its values. */
  merge({ ids, counts }: DimensionPart): { group: number; counts: SessionCounts }[] {
    return ids.map((id, i) => {
      const slot = this.#slotOf(id);
      const own = this.#counts[slot] as SessionCounts;
      addCounts(own, counts[i] ?? noCounts());
      return { group: this.#groups[slot] ?? 0, counts: own };
    });
  }

  result(): Map<number, SessionCounts> {
    const entries = this.#ids.map((id, slot) => [id, this.#counts[slot] as SessionCounts] as const);
    return new Map(entries.filter(([, { visits, sessions, events }]) => visits + sessions + events > 0));
  }

  #addSingle(view: SegmentView, state: SegmentState, ids: Int32Array): void {
    for (let i = 0; i < view.sessions; i++) {
      if (state.started[i] !== 0 || state.visits[i] !== 0) this.#addSession(i, state, this.#slotOf(ids[i] ?? 0));
    }
  }

  #addPlatforms(view: SegmentView, state: SegmentState): void {
    const column = view.column('platforms');
    for (let i = 0; i < view.sessions; i++) {
      if (state.started[i] === 0 && state.visits[i] === 0) continue;
      const platforms = column[i] ?? 0;
      if (platforms === 0) this.#addSession(i, state, this.#slotOf(0));
      for (let bit = 0; bit < PLATFORMS.length; bit++) {
        if ((platforms & (1 << bit)) !== 0) this.#addSession(i, state, this.#slotOf(bit + 1));
      }
    }
  }

  /** By page, visits and visitors are those of the page itself. */
  #addPages(view: SegmentView, state: SegmentState): void {
    const [pages, seconds, flags] = [view.column('page'), view.column('visitSecond'), view.column('visitFlags')];
    const [starts, firsts] = [view.column('start'), view.firsts('visits')];
    for (let i = 0; i < view.sessions; i++) {
      // A session without visits in the period, which did not start in it, counts nowhere.
      if (state.started[i] === 0 && state.visits[i] === 0) continue;
      this.#serial++;
      const [first, end] = [firsts[i] ?? 0, firsts[i + 1] ?? 0];
      for (let visit = first; visit < end; visit++) {
        const slot = this.#slotOf(pages[visit] ?? 0);
        const counts = this.#counts[slot] as SessionCounts;
        if (this.#isFirstOfSession(slot)) state.addStarted(i, counts);
        if (!this.#isInScope(flags[visit] ?? 0, (starts[i] ?? 0) + (seconds[visit] ?? 0))) continue;
        counts.visits++;
        if (((this.#flags[i] ?? 0) & IS_DELETED) !== 0) continue;
        if (this.#distinct.add(this.#visitors[i] ?? 0, this.#groups[slot] ?? 0)) counts.visitors++;
      }
      if (first === end) this.#addSession(i, state, this.#slotOf(0));
    }
  }

  #addEvents(view: SegmentView, state: SegmentState, dimension: 'event' | 'funnel'): void {
    const { from, to, excluded } = this.#scope;
    const [ids, firsts, starts] = [view.column(dimension), view.firsts('events'), view.column('start')];
    // Most segments lie in the period: then the times of their events are not needed.
    const areInPeriod = view.segment.firstEvent >= from && view.segment.lastEvent < to;
    const [flags, seconds] = [view.column('eventFlags'), areInPeriod ? undefined : view.column('eventSecond')];
    for (let i = 0; i < view.sessions; i++) {
      if (state.passes[i] === 0) continue;
      this.#serial++;
      let hasValue = false;
      const [start, end] = [starts[i] ?? 0, firsts[i + 1] ?? 0];
      // Most events follow one of the same name.
      for (let event = firsts[i] ?? 0; event < end; ) {
        const id = ids[event] ?? 0;
        const slot = this.#slotOf(id);
        if (id !== 0) {
          hasValue = true;
          if (this.#isFirstOfSession(slot)) this.#addSession(i, state, slot);
        }
        let inScope = 0;
        for (; event < end && ids[event] === id; event++) {
          if (((flags[event] ?? 0) & excluded) !== 0) continue;
          const second = seconds ? start + (seconds[event] ?? 0) : from;
          if (second >= from && second < to) inScope++;
        }
        (this.#counts[slot] as SessionCounts).events += inScope;
      }
      if (!hasValue) this.#addSession(i, state, this.#slotOf(0));
    }
  }

  /** Counts a session with its visits. */
  #addSession(i: number, state: SegmentState, slot: number): void {
    const counts = this.#counts[slot] as SessionCounts;
    state.addStarted(i, counts);
    const visits = state.visits[i] ?? 0;
    if (visits === 0) return;
    counts.visits += visits;
    if (((this.#flags[i] ?? 0) & IS_DELETED) !== 0) return;
    if (this.#distinct.add(this.#visitors[i] ?? 0, this.#groups[slot] ?? 0)) counts.visitors++;
  }

  #isInScope(flags: number, second: number): boolean {
    const { from, to, excluded } = this.#scope;
    return second >= from && second < to && (flags & excluded) === 0;
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
