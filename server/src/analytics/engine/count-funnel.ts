import type { Filters, Include, Period } from '../dimensions.ts';
import { excludedFlags } from './count-sessions.ts';
import { compileFilters, partsOfFilters } from './filter-sessions.ts';
import { ReportTooLarge } from './report-too-large.ts';
import type { Population } from './scan-segments.ts';
import { IS_DELETED, type Part, timeOf } from './segment.ts';
import type { SegmentView } from './segment-view.ts';

export interface FunnelPlan {
  /** In which the first step happens. */
  period: Period;
  /** Milliseconds from the first step to the last one. */
  window: number;
  by: 'session' | 'visitor';
  filters: Filters;
  include: Include;
}

/** The ids of the events and pages that count as a step. */
export interface StepIds {
  events: ReadonlySet<number>;
  pages: ReadonlySet<number>;
}

/** The parts that a funnel needs. */
export function partsOfFunnel(filters: Filters): Part[] {
  return ['visits', 'pages', 'events', 'event_names', 'milliseconds', ...partsOfFilters(filters)];
}

/**
 * Counts how many sessions or visitors did the first step in the period and the others after it, in order (within one
 * millisecond visits come before events). Each counts once, by the attempt that came furthest.
 */
export async function countFunnel(population: Population, steps: StepIds[], plan: FunnelPlan): Promise<number[]> {
  const filter = compileFilters(plan.filters, await population.names.idsOfFilters(plan.filters));
  const actions = new Actions();
  const counts = new Array<number>(steps.length).fill(0);
  const isBySession = plan.by === 'session';
  await population.scan((view) => {
    addActions(view, filter(view), steps, plan, actions);
    // The actions of a session are all in one segment.
    if (isBySession) actions.countInto(counts, view.sessions, plan);
  });
  if (!isBySession) actions.countInto(counts, population.maxVisitors, plan);
  return counts;
}

function addActions(
  view: SegmentView,
  passes: Uint8Array | undefined,
  steps: StepIds[],
  plan: FunnelPlan,
  actions: Actions,
): void {
  const isByVisitor = plan.by === 'visitor';
  const excluded = excludedFlags(plan.include);
  const last = plan.period.to + plan.window;
  const [flags, starts] = [view.column('flags'), view.column('start')];
  const { visitors } = view.segment;
  const scan = (list: 'visits' | 'events', masks: ReadonlyMap<number, number>) => {
    if (masks.size === 0) return;
    const isVisits = list === 'visits';
    const ids = view.column(isVisits ? 'page' : 'event');
    const itemFlags = view.column(isVisits ? 'visitFlags' : 'eventFlags');
    const seconds = view.column(isVisits ? 'visitSecond' : 'eventSecond');
    const ms = view.column(isVisits ? 'visitMs' : 'eventMs');
    const firsts = view.firsts(list);
    for (let i = 0; i < view.sessions; i++) {
      if (passes?.[i] === 0 || (isByVisitor && ((flags[i] ?? 0) & IS_DELETED) !== 0)) continue;
      for (let item = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; item < end; item++) {
        const mask = masks.get(ids[item] ?? 0);
        if (mask === undefined || ((itemFlags[item] ?? 0) & excluded) !== 0) continue;
        const at = timeOf((starts[i] ?? 0) + (seconds[item] ?? 0), ms[item] ?? 0);
        if (at >= plan.period.from && at <= last) actions.add(isByVisitor ? (visitors[i] ?? 0) : i, at, mask);
      }
    }
  };
  scan('visits', stepMasks(steps.map(({ pages }) => pages)));
  scan('events', stepMasks(steps.map(({ events }) => events)));
}

function stepMasks(steps: ReadonlySet<number>[]): Map<number, number> {
  const masks = new Map<number, number>();
  steps.forEach((ids, i) => {
    for (const id of ids) masks.set(id, (masks.get(id) ?? 0) | (1 << i));
  });
  return masks;
}

/** Of all visitors together: 200 MB while they are grouped. */
const MAX_ACTIONS = 8_000_000;

/** Actions of sessions or visitors that match a step. */
class Actions {
  #subjects = new Int32Array(4_096);
  #times = new Float64Array(4_096);
  /** A bit for each step that the action matches. */
  #masks = new Uint16Array(4_096);
  #size = 0;

  add(subject: number, at: number, mask: number): void {
    if (this.#size === this.#subjects.length) this.#grow();
    this.#subjects[this.#size] = subject;
    this.#times[this.#size] = at;
    this.#masks[this.#size++] = mask;
  }

  #grow(): void {
    if (this.#size >= MAX_ACTIONS) throw new ReportTooLarge();
    const size = Math.min(this.#size * 2, MAX_ACTIONS);
    const [subjects, times, masks] = [new Int32Array(size), new Float64Array(size), new Uint16Array(size)];
    subjects.set(this.#subjects);
    times.set(this.#times);
    masks.set(this.#masks);
    [this.#subjects, this.#times, this.#masks] = [subjects, times, masks];
  }

  /** Counts for each step the subjects that reached it, and forgets the actions. @param subjects all are below this */
  countInto(counts: number[], subjects: number, plan: FunnelPlan): void {
    if (this.#size === 0) return;
    // Grouped by counting first: nothing is sorted as a whole.
    const ends = new Uint32Array(subjects + 1);
    const [all, size] = [this.#subjects, this.#size];
    for (let i = 0; i < size; i++) {
      const subject = all[i] ?? 0;
      ends[subject + 1] = (ends[subject + 1] ?? 0) + 1;
    }
    for (let i = 1; i <= subjects; i++) ends[i] = (ends[i] ?? 0) + (ends[i - 1] ?? 0);
    const order = new Uint32Array(size);
    const next = ends.slice();
    for (let i = 0; i < size; i++) {
      const subject = all[i] ?? 0;
      const index = next[subject] ?? 0;
      next[subject] = index + 1;
      order[index] = i;
    }
    const startOf = new Float64Array(counts.length);
    for (let subject = 0; subject < subjects; subject++) {
      const [start, end] = [ends[subject] ?? 0, ends[subject + 1] ?? 0];
      if (start === end) continue;
      orderByTime(order, this.#times, start, end);
      const furthest = this.#furthestStep(order, start, end, startOf, plan);
      for (let step = 0; step < furthest; step++) counts[step] = (counts[step] ?? 0) + 1;
    }
    this.#size = 0;
  }

  /** @param startOf for each step the latest first step from which it was reached: the later, the more time is left */
  #furthestStep(
    order: Uint32Array,
    start: number,
    end: number,
    startOf: Float64Array,
    { period, window }: FunnelPlan,
  ): number {
    const [times, masks] = [this.#times, this.#masks];
    startOf.fill(Number.NEGATIVE_INFINITY);
    let furthest = 0;
    for (let i = start; i < end; i++) {
      const index = order[i] ?? 0;
      const [at, mask] = [times[index] ?? 0, masks[index] ?? 0];
      // From the last step on, so that one action is one step of an attempt.
      for (let step = startOf.length - 1; step > 0; step--) {
        if ((mask & (1 << step)) === 0) continue;
        const first = startOf[step - 1] ?? 0;
        if (at - first > window) continue;
        if (first > (startOf[step] ?? 0)) startOf[step] = first;
        furthest = Math.max(furthest, step + 1);
      }
      if ((mask & 1) !== 0 && at < period.to) {
        startOf[0] = at;
        furthest = Math.max(furthest, 1);
      }
    }
    return furthest;
  }
}

/** Most groups have a few actions, which are sorted in place. */
const MAX_INSERTION = 32;

/** Sorts a part of `order`. Stable: actions within the same millisecond keep their order. */
function orderByTime(order: Uint32Array, times: Float64Array, start: number, end: number): void {
  if (end - start > MAX_INSERTION) {
    order.subarray(start, end).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const index = order[i] ?? 0;
    const at = times[index] ?? 0;
    let to = i;
    for (; to > start && (times[order[to - 1] ?? 0] ?? 0) > at; to--) order[to] = order[to - 1] ?? 0;
    order[to] = index;
  }
}
