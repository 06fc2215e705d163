import { MINUTE } from '../../shared/units.ts';
import type { Dimension, Filters, Include, Period } from '../dimensions.ts';
import {
  addCounts,
  DimensionCounter,
  type DimensionPart,
  noCounts,
  SegmentState,
  type SessionCounts,
} from './count-dimension.ts';
import { compileFilters, partsOf, partsOfFilters, timePartsOf } from './filter-sessions.ts';
import { countIntervalVisitors, type IntervalContent, type IntervalVisitors } from './interval-visitors.ts';
import type { CountPlan, Population, SessionWorkPlan, Work } from './plan.ts';
import { IS_BOT, IS_DELETED, IS_INTERNAL, IS_PLAIN, type Part, secondOf } from './segment.ts';
import type { SegmentView } from './segment-view.ts';
import { type DistinctContent, DistinctVisitors } from './visitors.ts';

interface PeriodCounts {
  /** Without visitors if something is counted by dimension. */
  total: SessionCounts;
  /** One for each interval. */
  intervals: SessionCounts[];
  /** By id of the value; for platforms by index in `PLATFORMS`, from 1. */
  by: Partial<Record<Dimension, Map<number, SessionCounts>>>;
}

/** Counts visits, visitors and sessions of some periods in one scan. */
export async function countSessions(
  population: Population,
  filters: Filters,
  plans: readonly CountPlan[],
): Promise<PeriodCounts[]> {
  const { names, maxVisitors } = population;
  const plan = { type: 'count', filters, ids: await names.idsOfFilters(filters), plans, maxVisitors } as const;
  const work = new SessionWork(plan);
  await population.work(plan, work);
  return work.result();
}

export class SessionWork implements Work<PeriodPart[]> {
  readonly #filter: (view: SegmentView) => Uint8Array | undefined;
  readonly #counters: PeriodCounter[];

  constructor({ filters, ids, plans, maxVisitors }: SessionWorkPlan) {
    this.#filter = compileFilters(filters, ids);
    this.#counters = plans.map((plan) => new PeriodCounter(maxVisitors, plan));
  }

  add(view: SegmentView): void {
    const needed = this.#counters.filter((counter) => counter.needs(view));
    if (needed.length === 0) return;
    const passes = this.#filter(view);
    for (const counter of needed) counter.add(view, passes);
  }

  partsOf(view: SegmentView): Part[] {
    return this.#counters.some((counter) => counter.needs(view) && counter.needsVisits(view)) ? ['visits'] : [];
  }

  get part(): PeriodPart[] {
    return this.#counters.map((counter) => counter.part);
  }

  get buffers(): ArrayBuffer[] {
    return this.#counters.flatMap(({ part: { visitors, distinct } }) =>
      [
        ...(visitors ? [...visitors.bitmaps, visitors.latest, visitors.earlier] : []),
        ...(distinct ? [...distinct.bitmaps, distinct.pairs] : []),
      ].flatMap((each) => (each ? (each.buffer as ArrayBuffer) : [])),
    );
  }

  merge(parts: PeriodPart[]): void {
    parts.forEach((part, i) => {
      this.#counters[i]?.merge(part);
    });
  }

  result(): PeriodCounts[] {
    return this.#counters.map((counter) => counter.result());
  }
}

/** What a thread has counted of a period. */
interface PeriodPart {
  total: SessionCounts;
  intervals: SessionCounts[];
  visitors: IntervalContent | undefined;
  dimensions: DimensionPart[];
  distinct: DistinctContent | undefined;
}

/** The parts that counting needs, besides the visits of some segments. */
export function partsOfCount(filters: Filters, by: readonly Dimension[] = []): Part[] {
  return [...partsOfFilters(filters), ...by.flatMap((name) => [...partsOf(name), ...timePartsOf(name)])];
}

class PeriodCounter {
  readonly #from: number;
  readonly #to: number;
  readonly #excluded: number;
  /** Without what the intervals count. */
  readonly #total = noCounts();
  readonly #intervals: SessionCounts[];
  readonly #intervalAt: (second: number) => number;
  /** A breakdown needs no visitors in total. */
  readonly #visitors: IntervalVisitors | undefined;
  /** By value of a dimension. */
  readonly #distinct: DistinctVisitors | undefined;
  readonly #counters: DimensionCounter[];
  readonly #countsEvents: boolean;
  readonly #state = new SegmentState();

  constructor(maxVisitors: number, { period, starts, by, include }: CountPlan) {
    this.#from = secondOf(period.from);
    this.#to = secondOf(period.to);
    this.#excluded = excludedFlags(include);
    this.#intervals = starts.map(noCounts);
    this.#intervalAt = intervalsByMinute(period, starts);
    const scope = { from: this.#from, to: this.#to, excluded: this.#excluded };
    if (by.length === 0) this.#visitors = countIntervalVisitors(maxVisitors, Math.max(starts.length, 1));
    const distinct = by.length > 0 ? new DistinctVisitors(maxVisitors) : undefined;
    this.#distinct = distinct;
    this.#counters = distinct ? by.map((dimension) => new DimensionCounter(dimension, distinct, scope)) : [];
    this.#countsEvents = by.includes('event') || by.includes('funnel');
  }

  /** Events can happen in a period in which their session was not visited. */
  needs({ segment: { first, last, firstEvent, lastEvent } }: SegmentView): boolean {
    const [from, to] = [this.#from, this.#to];
    return (last >= from && first < to) || (this.#countsEvents && lastEvent >= from && firstEvent < to);
  }

  /** Whether not all sessions of a segment are plain and lie in one interval. */
  needsVisits(view: SegmentView): boolean {
    const { first, last } = view.segment;
    if (first < this.#from || last >= this.#to) return true;
    if (this.#intervalAt(first - this.#from) !== this.#intervalAt(last - this.#from)) return true;
    const flags = view.column('flags');
    for (let i = 0; i < view.sessions; i++) if (((flags[i] ?? 0) & IS_PLAIN) === 0) return true;
    return false;
  }

  add(view: SegmentView, passes: Uint8Array | undefined): void {
    const [from, to, excluded] = [this.#from, this.#to, this.#excluded];
    const state = this.#state;
    const [flags, starts, spans, visits] = [
      view.column('flags'),
      view.column('start'),
      view.column('span'),
      view.column('visits'),
    ];
    state.clear();
    for (let i = 0; i < view.sessions; i++) {
      if (passes?.[i] === 0) continue;
      state.passes[i] = 1;
      const flag = flags[i] ?? 0;
      if ((flag & IS_PLAIN) !== 0) {
        if ((flag & excluded) !== 0) continue;
        const start = starts[i] ?? 0;
        const end = start + (spans[i] ?? 0);
        if (end < from || start >= to) continue;
        const interval = this.#intervalAt(start - from);
        if (start >= from && end < to && this.#intervalAt(end - from) === interval) {
          this.#addPlain(view.segment.visitors[i] ?? 0, i, visits[i] ?? 0, end - start, interval);
          continue;
        }
      }
      this.#addByVisit(view, i);
    }
    for (const counter of this.#counters) counter.add(view, state);
  }

  get part(): PeriodPart {
    return {
      ...{ total: this.#total, intervals: this.#intervals },
      visitors: this.#visitors?.content,
      dimensions: this.#counters.map(({ part }) => part),
      distinct: this.#distinct?.content,
    };
  }

  merge({ total, intervals, visitors, dimensions, distinct }: PeriodPart): void {
    addCounts(this.#total, total);
    this.#intervals.forEach((counts, i) => {
      addCounts(counts, intervals[i] ?? noCounts());
    });
    if (visitors) this.#visitors?.union(visitors);
    if (!distinct) return;
    /** By group of the other thread, where its visitors belong. */
    const places: { group: number; counts: SessionCounts }[] = [];
    this.#counters.forEach((counter, i) => {
      const part = dimensions[i];
      if (!part) return;
      counter.merge(part).forEach((place, n) => {
        places[part.groups[n] ?? -1] = place;
      });
    });
    const groupOf = places.map(({ group }) => group);
    this.#distinct?.union(distinct, groupOf).forEach((added, group) => {
      const counts = places[group]?.counts;
      if (counts) counts.visitors += added;
    });
  }

  result(): PeriodCounts {
    const by = Object.fromEntries(this.#counters.map((each) => [each.dimension, each.result()]));
    const distinct = this.#visitors?.counts() ?? { total: 0, intervals: [] };
    const total = { ...this.#total, visitors: distinct.total };
    for (const counts of this.#intervals) addCounts(total, counts);
    const intervals = this.#intervals.map((counts, i) => ({ ...counts, visitors: distinct.intervals[i] ?? 0 }));
    return { total, intervals, by };
  }

  /** Of an interval, or of the whole period if it has none. */
  #countsOf(interval: number): SessionCounts {
    return this.#intervals[interval] ?? this.#total;
  }

  /** All of the session lies in one interval. */
  #addPlain(visitor: number, i: number, visits: number, seconds: number, interval: number): void {
    const state = this.#state;
    state.visits[i] = visits;
    state.started[i] = 1;
    state.allVisits[i] = visits;
    state.seconds[i] = seconds;
    const counts = this.#countsOf(interval);
    counts.visits += visits;
    state.addStarted(i, counts);
    this.#visitors?.add(visitor, interval);
  }

  #addByVisit(view: SegmentView, i: number): void {
    const [from, to, excluded] = [this.#from, this.#to, this.#excluded];
    const state = this.#state;
    const flag = view.column('flags')[i] ?? 0;
    const start = view.column('start')[i] ?? 0;
    const isDeleted = (flag & IS_DELETED) !== 0;
    const visitFlags = view.column('visitFlags');
    const seconds = view.column('visitSecond');
    const firsts = view.firsts('visits');
    const visitor = view.segment.visitors[i] ?? 0;
    let [first, last, all, inPeriod, lastInterval] = [0, 0, 0, 0, -1];
    for (let visit = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; visit < end; visit++) {
      if (((visitFlags[visit] ?? 0) & excluded) !== 0) continue;
      const second = start + (seconds[visit] ?? 0);
      if (all === 0) first = second;
      last = second;
      all++;
      if (second < from || second >= to) continue;
      inPeriod++;
      const interval = this.#intervalAt(second - from);
      this.#countsOf(interval).visits++;
      if (interval === lastInterval || isDeleted) continue;
      lastInterval = interval;
      this.#visitors?.add(visitor, interval);
    }
    state.visits[i] = inPeriod;
    if ((flag & (excluded | IS_DELETED)) !== 0 || start < from || start >= to) return;
    state.started[i] = 1;
    state.allVisits[i] = all;
    state.seconds[i] = last - first;
    state.addStarted(i, this.#countsOf(this.#intervalAt(start - from)));
  }
}

export function excludedFlags(include: Include): number {
  return (include.bots ? 0 : IS_BOT) | (include.internal ? 0 : IS_INTERNAL);
}

/** Returns the interval in which a second after the start of the period lies; 0 if it has no intervals. */
function intervalsByMinute({ from, to }: Period, starts: number[]): (second: number) => number {
  if (starts.length === 0) return () => 0;
  const intervals = new Int32Array((to - from) / MINUTE);
  starts.forEach((start, i) => {
    intervals.fill(i, (start - from) / MINUTE, ((starts[i + 1] ?? to) - from) / MINUTE);
  });
  return (second) => intervals[(second / 60) | 0] ?? -1;
}
