import type { Dimension, Include, Period } from '../dimensions.ts';
import { DimensionCounter, noCounts, SegmentState, type SessionCounts } from './count-dimension.ts';
import type { SessionFilter } from './filter-sessions.ts';
import {
  IS_BOT,
  IS_DELETED,
  IS_INTERNAL,
  offsetOf,
  SESSION_STRIDE,
  type Segment,
  START,
  secondOf,
  VISIT_STRIDE,
} from './segment.ts';
import { DistinctVisitors } from './visitors.ts';

export interface PeriodCounts {
  total: SessionCounts;
  /** One for each interval. */
  intervals: SessionCounts[];
  /** By id of the value; for platforms by index in `PLATFORMS`, from 1. */
  by: Partial<Record<Dimension, Map<number, SessionCounts>>>;
}

export interface CountPlan {
  period: Period;
  /** The starts of the intervals in milliseconds, on whole minutes; none: only the total is counted. */
  starts: number[];
  by: readonly Dimension[];
  include: Include;
}

/** Counts visits, visitors and sessions of a period in one scan. */
export function countSessions(
  { segments, visitors }: { segments: readonly Segment[]; visitors: number },
  filter: SessionFilter,
  plan: CountPlan,
): PeriodCounts {
  const { period, by } = plan;
  const [from, to] = [secondOf(period.from), secondOf(period.to)];
  const excluded = excludedFlags(plan.include);
  const intervalAt = intervalsByMinute(period, plan.starts);
  const total = noCounts();
  const intervals = plan.starts.map(noCounts);
  const distinct = new DistinctVisitors(visitors);
  const totalGroup = distinct.addGroup();
  const intervalGroups = plan.starts.map(() => distinct.addGroup());
  const counters = by.map((dimension) => new DimensionCounter(dimension, distinct, { from, to, excluded }));
  const current = new SegmentState();
  const countsEvents = by.includes('event') || by.includes('funnel');

  for (const segment of segments) {
    const { sessions, visits } = segment;
    // Events can happen in a period in which their session was not visited.
    if (!countsEvents && (segment.last < from || segment.first >= to)) continue;
    const passes = filter(segment);
    current.clear();
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const offset = offsetOf(tag);
      if (passes && passes[offset] === 0) continue;
      current.position[offset] = i + 1;
      const start = sessions[i + START] ?? 0;
      if ((tag & excluded) !== 0 || (tag & IS_DELETED) !== 0 || start < from || start >= to) continue;
      current.started[offset] = 1;
    }
    let lastSession = -1;
    let lastInterval = -1;
    for (let i = 0; i < visits.length; i += VISIT_STRIDE) {
      const tag = visits[i] ?? 0;
      const second = visits[i + 1] ?? 0;
      if ((tag & excluded) !== 0) continue;
      const offset = offsetOf(tag);
      if (current.started[offset] === 1) {
        if (current.allVisits[offset] === 0) current.first[offset] = second;
        current.last[offset] = second;
        current.allVisits[offset] = (current.allVisits[offset] ?? 0) + 1;
      }
      if (second < from || second >= to) continue;
      const session = (current.position[offset] ?? 0) - 1;
      if (session < 0) continue;
      total.visits++;
      current.visits[offset] = (current.visits[offset] ?? 0) + 1;
      const index = intervalAt(second - from);
      const interval = intervals[index];
      if (interval) interval.visits++;
      // The visits of a session follow one another, mostly within one interval.
      if ((lastSession === session && lastInterval === index) || ((sessions[session] ?? 0) & IS_DELETED) !== 0)
        continue;
      const visitor = segment.visitors[session / SESSION_STRIDE] ?? 0;
      if (lastSession !== session && distinct.add(visitor, totalGroup)) total.visitors++;
      if (interval && distinct.add(visitor, intervalGroups[index] ?? 0)) interval.visitors++;
      lastSession = session;
      lastInterval = index;
    }
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const offset = offsetOf(sessions[i] ?? 0);
      if (current.started[offset] === 0) continue;
      current.addStarted(offset, total);
      const interval = intervals[intervalAt((sessions[i + START] ?? 0) - from)];
      if (interval) current.addStarted(offset, interval);
    }
    for (const counter of counters) counter.add(segment, current);
  }
  return { total, intervals, by: Object.fromEntries(counters.map((each) => [each.dimension, each.result()])) };
}

export function excludedFlags(include: Include): number {
  return (include.bots ? 0 : IS_BOT) | (include.internal ? 0 : IS_INTERNAL);
}

/** Returns the interval in which a second after the start of the period lies. */
function intervalsByMinute({ from, to }: Period, starts: number[]): (second: number) => number {
  if (starts.length === 0) return () => -1;
  const intervals = new Int32Array((to - from) / 60_000);
  starts.forEach((start, i) => {
    intervals.fill(i, (start - from) / 60_000, ((starts[i + 1] ?? to) - from) / 60_000);
  });
  return (second) => intervals[(second / 60) | 0] ?? -1;
}
