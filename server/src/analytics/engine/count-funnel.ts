import type { Include, Period } from '../dimensions.ts';
import { excludedFlags } from './count-sessions.ts';
import type { SessionFilter } from './filter-sessions.ts';
import {
  EVENT_STRIDE,
  IS_DELETED,
  offsetOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type Segment,
  timeOf,
  VISIT_STRIDE,
} from './segment.ts';

export interface FunnelPlan {
  /** In which the first step happens. */
  period: Period;
  /** Milliseconds from the first step to the last one. */
  window: number;
  by: 'session' | 'visitor';
  include: Include;
}

/** The ids of the events and pages that count as a step. */
export interface StepIds {
  events: ReadonlySet<number>;
  pages: ReadonlySet<number>;
}

/**
 * Counts how many sessions or visitors did the first step in the period and the others after it, in order (within one
 * millisecond visits come before events). Each counts once, by the attempt that came furthest.
 */
export function countFunnel(
  { segments, visitors }: { segments: readonly Segment[]; visitors: number },
  filter: SessionFilter,
  steps: StepIds[],
  plan: FunnelPlan,
): number[] {
  const subjects = plan.by === 'visitor' ? visitors : segments.length * SEGMENT_SIZE;
  // Actions are grouped by counting first: typed arrays take 10 bytes for each, and nothing is sorted as a whole.
  const ends = new Uint32Array(subjects + 1);
  eachAction(segments, filter, steps, plan, (subject) => {
    ends[subject + 1] = (ends[subject + 1] ?? 0) + 1;
  });
  for (let i = 1; i <= subjects; i++) ends[i] = (ends[i] ?? 0) + (ends[i - 1] ?? 0);
  const times = new Float64Array(ends[subjects] ?? 0);
  const masks = new Uint16Array(times.length);
  const starts = ends.slice();
  eachAction(segments, filter, steps, plan, (subject, at, mask) => {
    const index = starts[subject] ?? 0;
    starts[subject] = index + 1;
    times[index] = at;
    masks[index] = mask;
  });
  const counts = new Array<number>(steps.length).fill(0);
  for (let subject = 0, start = 0; subject < subjects; subject++) {
    const end = ends[subject + 1] ?? start;
    if (end > start) {
      const furthest = furthestStep(orderByTime(times, start, end), times, masks, steps.length, plan);
      for (let step = 0; step < furthest; step++) counts[step] = (counts[step] ?? 0) + 1;
    }
    start = end;
  }
  return counts;
}

/** @param onAction receives the session or visitor, the time, and a bit for each step that the action matches */
function eachAction(
  segments: readonly Segment[],
  filter: SessionFilter,
  steps: StepIds[],
  plan: FunnelPlan,
  onAction: (subject: number, at: number, mask: number) => void,
): void {
  const byVisitor = plan.by === 'visitor';
  const excluded = excludedFlags(plan.include);
  const last = plan.period.to + plan.window;
  const pageMasks = stepMasks(steps.map(({ pages }) => pages));
  const eventMasks = stepMasks(steps.map(({ events }) => events));
  const subjectOf = new Int32Array(SEGMENT_SIZE);
  segments.forEach((segment, n) => {
    const passes = filter(segment);
    subjectOf.fill(-1);
    for (let i = 0; i < segment.sessions.length; i += SESSION_STRIDE) {
      const tag = segment.sessions[i] ?? 0;
      const offset = offsetOf(tag);
      if (passes?.[offset] === 0 || (byVisitor && (tag & IS_DELETED) !== 0)) continue;
      subjectOf[offset] = byVisitor ? (segment.visitors[i / SESSION_STRIDE] ?? 0) : n * SEGMENT_SIZE + offset;
    }
    const scan = (rows: Int32Array, stride: number, masks: ReadonlyMap<number, number>) => {
      if (masks.size === 0) return;
      for (let i = 0; i < rows.length; i += stride) {
        const mask = masks.get(rows[i + 2] ?? 0);
        const tag = rows[i] ?? 0;
        if (mask === undefined || (tag & excluded) !== 0) continue;
        const subject = subjectOf[offsetOf(tag)] ?? -1;
        const at = timeOf(tag, rows[i + 1] ?? 0);
        if (subject >= 0 && at >= plan.period.from && at <= last) onAction(subject, at, mask);
      }
    };
    scan(segment.visits, VISIT_STRIDE, pageMasks);
    scan(segment.events, EVENT_STRIDE, eventMasks);
  });
}

function stepMasks(steps: ReadonlySet<number>[]): Map<number, number> {
  const masks = new Map<number, number>();
  steps.forEach((ids, i) => {
    for (const id of ids) masks.set(id, (masks.get(id) ?? 0) | (1 << i));
  });
  return masks;
}

/** Stable: actions within the same millisecond keep their order. */
function orderByTime(times: Float64Array, start: number, end: number): Uint32Array {
  const order = new Uint32Array(end - start);
  for (let i = 0; i < order.length; i++) order[i] = start + i;
  return order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
}

function furthestStep(
  order: Uint32Array,
  times: Float64Array,
  masks: Uint16Array,
  steps: number,
  { period, window }: FunnelPlan,
): number {
  /** For each step the latest first step from which it was reached: the later, the more time is left. */
  const startOf = new Array<number>(steps).fill(Number.NEGATIVE_INFINITY);
  let furthest = 0;
  for (const index of order) {
    const [at, mask] = [times[index] ?? 0, masks[index] ?? 0];
    // From the last step on, so that one action is one step of an attempt.
    for (let step = steps - 1; step > 0; step--) {
      if ((mask & (1 << step)) === 0) continue;
      const start = startOf[step - 1] ?? Number.NEGATIVE_INFINITY;
      if (at - start > window) continue;
      if (start > (startOf[step] ?? 0)) startOf[step] = start;
      furthest = Math.max(furthest, step + 1);
    }
    if ((mask & 1) !== 0 && at < period.to) {
      startOf[0] = at;
      furthest = Math.max(furthest, 1);
    }
  }
  return furthest;
}
