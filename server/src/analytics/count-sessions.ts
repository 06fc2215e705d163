import { type Choose, PLACES } from './choose-sessions.ts';
import { type Dimension, type Include, type Period, PLATFORMS } from './dimensions.ts';
import {
  BEGIN,
  EVENT_STRIDE,
  IS_BOT,
  IS_GONE,
  IS_INTERNAL,
  offsetOf,
  platformsOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type Segment,
  secondOf,
  VISIT_STRIDE,
} from './segment.ts';
import { VisitorGroups } from './visitor-set.ts';

export interface SessionCounts {
  visits: number;
  visitors: number;
  sessions: number;
  /** Only where it is told apart by event or funnel. */
  events: number;
}

export interface CountedPeriod {
  total: SessionCounts;
  /** One for each part of the line. */
  line: SessionCounts[];
  /** By number of the value; for platforms by place in the interface's list, from 1. */
  by: Partial<Record<Dimension, Map<number, SessionCounts>>>;
}

export interface CountPlan {
  period: Period;
  /** Where the parts of the line begin, in milliseconds; none: no line. */
  starts: number[];
  by: readonly Dimension[];
  include: Include;
}

/** Sessions, and how many visitors they have. */
export interface Population {
  segments: readonly Segment[];
  visitors: number;
}

/** Counts visits, visitors and sessions of a period in one walk over the sessions that are chosen. */
export function countSessions({ segments, visitors: all }: Population, choose: Choose, plan: CountPlan): CountedPeriod {
  const { period, by } = plan;
  const [from, to] = [secondOf(period.from), secondOf(period.to)];
  const skipped = skippedMarks(plan.include);
  const partOf = partsByMinute(period, plan.starts);
  const total = none();
  const line = plan.starts.map(none);
  const tallies = by.map((dimension) => new Tally(dimension, all));
  const visitors = new VisitorGroups(all);
  const visitorsOfParts = new VisitorGroups(all);
  const ofSession = new SessionsOfPeriod();
  const countsEvents = by.includes('event') || by.includes('funnel');

  for (const segment of segments) {
    const { sessions, visits } = segment;
    // Events of sessions that were not visited then are told apart by those of the period.
    if (!countsEvents && (segment.last < from || segment.first >= to)) continue;
    const chosen = choose(segment);
    ofSession.clear();
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const offset = offsetOf(tag);
      if (chosen && chosen[offset] === 0) continue;
      ofSession.at[offset] = i + 1;
      const begin = sessions[i + BEGIN] ?? 0;
      if ((tag & skipped) !== 0 || (tag & IS_GONE) !== 0 || begin < from || begin >= to) continue;
      ofSession.began[offset] = 1;
      total.sessions++;
      const part = line[partOf(begin - from)];
      if (part) part.sessions++;
    }
    let lastVisitor = -1;
    let lastPart = -1;
    for (let i = 0; i < visits.length; i += VISIT_STRIDE) {
      const tag = visits[i] ?? 0;
      const second = visits[i + 1] ?? 0;
      if (second < from || second >= to || (tag & skipped) !== 0) continue;
      const offset = offsetOf(tag);
      const at = (ofSession.at[offset] ?? 0) - 1;
      if (at < 0) continue;
      total.visits++;
      ofSession.visits[offset] = (ofSession.visits[offset] ?? 0) + 1;
      const index = partOf(second - from);
      const part = line[index];
      if (part) part.visits++;
      // A session's visits follow one another, mostly within one part of the line.
      if ((lastVisitor === at && lastPart === index) || ((sessions[at] ?? 0) & IS_GONE) !== 0) continue;
      const visitor = segment.visitors[at / SESSION_STRIDE] ?? 0;
      if (lastVisitor !== at && visitors.add(visitor, 0)) total.visitors++;
      if (part && visitorsOfParts.add(visitor, index)) part.visitors++;
      lastVisitor = at;
      lastPart = index;
    }
    for (const tally of tallies) tally.add(segment, ofSession, from, to, skipped);
  }
  return { total, line, by: Object.fromEntries(tallies.map((tally) => [tally.dimension, tally.result()])) };
}

export function skippedMarks(include: Include): number {
  return (include.bots ? 0 : IS_BOT) | (include.internal ? 0 : IS_INTERNAL);
}

function none(): SessionCounts {
  return { visits: 0, visitors: 0, sessions: 0, events: 0 };
}

/** In which part of the line a second after the begin lies. Parts begin on whole minutes. */
function partsByMinute({ from, to }: Period, starts: number[]): (second: number) => number {
  if (starts.length === 0) return () => -1;
  const parts = new Int32Array((to - from) / 60_000);
  starts.forEach((start, i) => {
    parts.fill(i, (start - from) / 60_000, ((starts[i + 1] ?? to) - from) / 60_000);
  });
  return (second) => parts[(second / 60) | 0] ?? -1;
}

/** Of the sessions of one segment, by offset. */
class SessionsOfPeriod {
  /** Where a session that was chosen stands, from 1; 0: it was not. */
  readonly at = new Int32Array(SEGMENT_SIZE);
  readonly began = new Uint8Array(SEGMENT_SIZE);
  readonly visits = new Int32Array(SEGMENT_SIZE);

  clear(): void {
    this.at.fill(0);
    this.began.fill(0);
    this.visits.fill(0);
  }
}

const NEAR = 65_536;

/** The counts of one dimension, by value. */
class Tally {
  readonly dimension: Dimension;
  /** By number of the value: below zero, or far up, in the map. */
  readonly #near = new Int32Array(NEAR);
  readonly #far = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #counts: SessionCounts[] = [];
  /** For each value the session that counted for it last: it counts once. */
  readonly #last: number[] = [];
  readonly #visitors: VisitorGroups;
  #serial = 0;

  constructor(dimension: Dimension, visitors: number) {
    this.dimension = dimension;
    this.#visitors = new VisitorGroups(visitors);
  }

  add(segment: Segment, sessions: SessionsOfPeriod, from: number, to: number, skipped: number): void {
    const place = PLACES[this.dimension];
    if (place !== undefined) this.#addSingle(segment, sessions, place);
    else if (this.dimension === 'platform') this.#addPlatforms(segment, sessions);
    else if (this.dimension === 'page') this.#addPages(segment, sessions, from, to, skipped);
    else this.#addEvents(segment, sessions, this.dimension === 'event' ? 2 : 3, from, to, skipped);
  }

  result(): Map<number, SessionCounts> {
    const entries = this.#ids.map((id, place) => [id, this.#counts[place] as SessionCounts] as const);
    return new Map(entries.filter(([, { visits, sessions, events }]) => visits + sessions + events > 0));
  }

  #addSingle(segment: Segment, sessions: SessionsOfPeriod, place: number): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      const offset = offsetOf(rows[i] ?? 0);
      if (sessions.at[offset] !== 0) this.#session(segment, i, sessions, this.#placeOf(rows[i + place] ?? 0));
    }
  }

  #addPlatforms(segment: Segment, sessions: SessionsOfPeriod): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      const tag = rows[i] ?? 0;
      if (sessions.at[offsetOf(tag)] === 0) continue;
      const platforms = platformsOf(tag);
      if (platforms === 0) this.#session(segment, i, sessions, this.#placeOf(0));
      for (let kind = 0; kind < PLATFORMS.length; kind++) {
        if ((platforms & (1 << kind)) !== 0) this.#session(segment, i, sessions, this.#placeOf(kind + 1));
      }
    }
  }

  /** A page's visits are those of the page itself. */
  #addPages(segment: Segment, sessions: SessionsOfPeriod, from: number, to: number, skipped: number): void {
    const { visits, sessions: rows } = segment;
    const has = new Uint8Array(SEGMENT_SIZE);
    let current = -1;
    for (let i = 0; i < visits.length; i += VISIT_STRIDE) {
      const tag = visits[i] ?? 0;
      const offset = offsetOf(tag);
      const at = (sessions.at[offset] ?? 0) - 1;
      if (at < 0) continue;
      if (offset !== current) this.#serial++;
      current = offset;
      has[offset] = 1;
      const place = this.#placeOf(visits[i + 2] ?? 0);
      const counts = this.#counts[place] as SessionCounts;
      if (this.#last[place] !== this.#serial) {
        this.#last[place] = this.#serial;
        counts.sessions += sessions.began[offset] ?? 0;
      }
      const second = visits[i + 1] ?? 0;
      if (second < from || second >= to || (tag & skipped) !== 0) continue;
      counts.visits++;
      if (((rows[at] ?? 0) & IS_GONE) !== 0) continue;
      if (this.#visitors.add(segment.visitors[at / SESSION_STRIDE] ?? 0, place)) counts.visitors++;
    }
    this.#addWithout(segment, sessions, has);
  }

  #addEvents(segment: Segment, sessions: SessionsOfPeriod, column: number, from: number, to: number, skipped: number) {
    const { events } = segment;
    const has = new Uint8Array(SEGMENT_SIZE);
    let current = -1;
    for (let i = 0; i < events.length; i += EVENT_STRIDE) {
      const tag = events[i] ?? 0;
      const offset = offsetOf(tag);
      const at = (sessions.at[offset] ?? 0) - 1;
      if (at < 0) continue;
      if (offset !== current) this.#serial++;
      current = offset;
      const id = events[i + column] ?? 0;
      const place = this.#placeOf(id);
      if (id !== 0) {
        has[offset] = 1;
        if (this.#last[place] !== this.#serial) {
          this.#last[place] = this.#serial;
          this.#session(segment, at, sessions, place);
        }
      }
      const second = events[i + 1] ?? 0;
      if (second >= from && second < to && (tag & skipped) === 0) (this.#counts[place] as SessionCounts).events++;
    }
    this.#addWithout(segment, sessions, has);
  }

  /** Sessions that have no value at all. */
  #addWithout(segment: Segment, sessions: SessionsOfPeriod, has: Uint8Array): void {
    const rows = segment.sessions;
    for (let i = 0; i < rows.length; i += SESSION_STRIDE) {
      const offset = offsetOf(rows[i] ?? 0);
      if (sessions.at[offset] !== 0 && has[offset] === 0) this.#session(segment, i, sessions, this.#placeOf(0));
    }
  }

  /** A session, at `i` of its segment, with its visits, for one value. */
  #session(segment: Segment, i: number, sessions: SessionsOfPeriod, place: number): void {
    const tag = segment.sessions[i] ?? 0;
    const offset = offsetOf(tag);
    const counts = this.#counts[place] as SessionCounts;
    counts.sessions += sessions.began[offset] ?? 0;
    const visits = sessions.visits[offset] ?? 0;
    if (visits === 0) return;
    counts.visits += visits;
    if ((tag & IS_GONE) !== 0) return;
    if (this.#visitors.add(segment.visitors[i / SESSION_STRIDE] ?? 0, place)) counts.visitors++;
  }

  #placeOf(id: number): number {
    const isNear = id >= 0 && id < NEAR;
    const known = isNear ? (this.#near[id] ?? 0) - 1 : (this.#far.get(id) ?? -1);
    if (known >= 0) return known;
    const place = this.#ids.push(id) - 1;
    if (isNear) this.#near[id] = place + 1;
    else this.#far.set(id, place);
    this.#counts.push(none());
    this.#last.push(-1);
    return place;
  }
}
