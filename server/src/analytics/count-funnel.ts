import type { Choose } from './choose-sessions.ts';
import { skippedMarks } from './count-sessions.ts';
import type { Include, Period } from './dimensions.ts';
import {
  EVENT_STRIDE,
  IS_GONE,
  offsetOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type Segment,
  timeOf,
  VISIT_STRIDE,
} from './segment.ts';

export interface FunnelPlan {
  /** In which the first step is taken. */
  period: Period;
  /** How long after the first step the last one may be, in milliseconds. */
  window: number;
  by: 'session' | 'visitor';
  include: Include;
}

/** What counts as a step: one of these events or of these pages. */
export interface StepIds {
  events: ReadonlySet<number>;
  pages: ReadonlySet<number>;
}

/**
 * How many sessions or visitors took the first step in the period and then the others, in order, each after the one before
 * (at the same millisecond: in the order of their arrival, a visit before an event). Who begins several times counts once, with
 * the try that went furthest.
 */
export function countFunnel(
  segments: readonly Segment[],
  choose: Choose,
  steps: StepIds[],
  plan: FunnelPlan,
): number[] {
  const byVisitor = plan.by === 'visitor';
  const taken: Taken[] = [];
  const skipped = skippedMarks(plan.include);
  const last = plan.period.to + plan.window;
  let sessionsBefore = 0;
  for (const segment of segments) {
    const chosen = choose(segment);
    const takerOf = new Int32Array(SEGMENT_SIZE).fill(-1);
    for (let i = 0; i < segment.sessions.length; i += SESSION_STRIDE) {
      const tag = segment.sessions[i] ?? 0;
      const offset = offsetOf(tag);
      if (chosen?.[offset] === 0 || (byVisitor && (tag & IS_GONE) !== 0)) continue;
      takerOf[offset] = byVisitor ? (segment.visitors[i / SESSION_STRIDE] ?? 0) : sessionsBefore + offset;
    }
    sessionsBefore += SEGMENT_SIZE;
    const collect = (rows: Int32Array, stride: number, of: (step: StepIds) => ReadonlySet<number>) => {
      const masks = masksOf(steps.map(of));
      if (masks.size === 0) return;
      for (let i = 0; i < rows.length; i += stride) {
        const mask = masks.get(rows[i + 2] ?? 0);
        const tag = rows[i] ?? 0;
        if (mask === undefined || (tag & skipped) !== 0) continue;
        const taker = takerOf[offsetOf(tag)] ?? -1;
        const at = timeOf(tag, rows[i + 1] ?? 0);
        if (taker >= 0 && at >= plan.period.from && at <= last) taken.push({ taker, at, mask });
      }
    };
    collect(segment.visits, VISIT_STRIDE, (step) => step.pages);
    collect(segment.events, EVENT_STRIDE, (step) => step.events);
  }
  // Stable: what happened at the same millisecond keeps its order.
  taken.sort((a, b) => a.taker - b.taker || a.at - b.at);
  return countSteps(taken, steps.length, plan);
}

interface Taken {
  taker: number;
  at: number;
  /** A bit for each step it may be. */
  mask: number;
}

function masksOf(steps: ReadonlySet<number>[]): Map<number, number> {
  const masks = new Map<number, number>();
  steps.forEach((ids, i) => {
    for (const id of ids) masks.set(id, (masks.get(id) ?? 0) | (1 << i));
  });
  return masks;
}

function countSteps(taken: Taken[], steps: number, { period, window }: FunnelPlan): number[] {
  const counts = new Array<number>(steps).fill(0);
  for (let i = 0; i < taken.length; ) {
    const taker = taken[i]?.taker;
    /** For each step the latest first step from which it was reached: the later, the more time is left. */
    const reached = new Array<number>(steps).fill(Number.NEGATIVE_INFINITY);
    let furthest = 0;
    for (; i < taken.length && taken[i]?.taker === taker; i++) {
      const { at, mask } = taken[i] as Taken;
      // From the last step on: one thing is one step of a try.
      for (let step = steps - 1; step > 0; step--) {
        if ((mask & (1 << step)) === 0) continue;
        const begun = reached[step - 1] ?? Number.NEGATIVE_INFINITY;
        if (at - begun > window) continue;
        if (begun > (reached[step] ?? 0)) reached[step] = begun;
        furthest = Math.max(furthest, step + 1);
      }
      if ((mask & 1) !== 0 && at < period.to) {
        reached[0] = at;
        furthest = Math.max(furthest, 1);
      }
    }
    for (let step = 0; step < furthest; step++) counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}
