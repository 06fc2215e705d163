import { type Filters, type Include, type Period, SINGLE_VALUED, type SingleValued } from '../dimensions.ts';
import { excludedFlags } from './count-sessions.ts';
import { compileFilters, type FilterIds, partsOfFilters, type SessionFilter } from './filter-sessions.ts';
import { type AttemptCounts, type Attempts, FunnelAttempts } from './funnel-attempts.ts';
import { ReportTooLarge } from './report-too-large.ts';
import type { Population, Work } from './scan-segments.ts';
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
  /** Of the sessions by which the counts are broken down. */
  breakdownBy?: SingleValued | undefined;
}

/** The ids of the events and pages that count as a step. */
export interface StepIds {
  events: ReadonlySet<number>;
  pages: ReadonlySet<number>;
}

/** An event that counts as steps because of its properties, which segments do not contain. */
export interface ExtraAction {
  /** Of its session in the segment. */
  offset: number;
  at: number;
  /** A bit for each step. */
  mask: number;
}

/** By number of the segment. */
export type ExtraActions = ReadonlyMap<number, readonly ExtraAction[]>;

/** The parts that a funnel needs. */
export function partsOfFunnel(filters: Filters, breakdownBy?: SingleValued): Part[] {
  const group = breakdownBy ? [SINGLE_VALUED[breakdownBy]] : [];
  return ['visits', 'pages', 'events', 'event_names', 'milliseconds', ...group, ...partsOfFilters(filters)];
}

/**
 * Counts how many sessions or visitors did the first step in the period and the others after it, in order (within one
 * millisecond visits come before events). Each counts once, by the attempt that came furthest.
 * @param plans differ in their period, and in whether they are broken down
 */
export async function countFunnel(
  population: Population,
  steps: StepIds[],
  plans: readonly FunnelPlan[],
  extras: ExtraActions = new Map(),
): Promise<Attempts[]> {
  const filters = plans[0]?.filters ?? {};
  const plan = { type: 'funnel', ids: await population.names.idsOfFilters(filters), steps, plans, extras } as const;
  const work = new FunnelWork(plan);
  await population.work(plan, work);
  return work.result(population.maxVisitors);
}

/** Counts a funnel in a part of the segments. */
export interface FunnelWorkPlan {
  type: 'funnel';
  ids: FilterIds;
  steps: StepIds[];
  plans: readonly FunnelPlan[];
  extras: ExtraActions;
}

/** What a thread has counted of a period: by session the attempts, by visitor the actions. */
interface FunnelPart {
  actions: ActionList;
  attempts: AttemptCounts;
}

export class FunnelWork implements Work<FunnelPart[]> {
  readonly #plan: FunnelWorkPlan;
  readonly #filter: SessionFilter;
  readonly #counters: { plan: FunnelPlan; actions: Actions; attempts: FunnelAttempts }[];

  constructor(plan: FunnelWorkPlan) {
    this.#plan = plan;
    this.#filter = compileFilters(plan.plans[0]?.filters ?? {}, plan.ids);
    this.#counters = plan.plans.map((each) => ({
      plan: each,
      actions: new Actions(),
      attempts: new FunnelAttempts(plan.steps.length, each),
    }));
  }

  add(view: SegmentView): void {
    const { steps, extras } = this.#plan;
    const passes = this.#filter(view);
    for (const { plan, actions, attempts } of this.#counters) {
      addActions(view, passes, steps, plan, extras, actions);
      // The actions of a session are all in one segment.
      if (plan.by === 'session') actions.countInto(attempts, view.sessions);
    }
  }

  get part(): FunnelPart[] {
    return this.#counters.map(({ actions, attempts }) => ({ actions: actions.list, attempts: attempts.part }));
  }

  get buffers(): ArrayBuffer[] {
    return this.#counters.flatMap(({ actions: { list } }) =>
      [list.subjects, list.times, list.masks, list.groups].map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  merge(parts: FunnelPart[]): void {
    parts.forEach((part, i) => {
      this.#counters[i]?.actions.addAll(part.actions);
      this.#counters[i]?.attempts.merge(part.attempts);
    });
  }

  /** @param maxVisitors numbers of visitors are below this */
  result(maxVisitors: number): Attempts[] {
    return this.#counters.map(({ plan, actions, attempts }) => {
      if (plan.by === 'visitor') actions.countInto(attempts, maxVisitors);
      return attempts.result();
    });
  }
}

function addActions(
  view: SegmentView,
  passes: Uint8Array | undefined,
  steps: StepIds[],
  plan: FunnelPlan,
  extras: ExtraActions,
  actions: Actions,
): void {
  const isByVisitor = plan.by === 'visitor';
  const excluded = excludedFlags(plan.include);
  const last = plan.period.to + plan.window;
  const [flags, starts] = [view.column('flags'), view.column('start')];
  const groups = plan.breakdownBy && view.column(SINGLE_VALUED[plan.breakdownBy]);
  const { visitors } = view.segment;
  const isCounted = (i: number) => passes?.[i] !== 0 && !(isByVisitor && ((flags[i] ?? 0) & IS_DELETED) !== 0);
  const add = (i: number, at: number, mask: number) => {
    if (at >= plan.period.from && at <= last)
      actions.add(isByVisitor ? (visitors[i] ?? 0) : i, at, mask, groups?.[i] ?? 0);
  };
  const scan = (list: 'visits' | 'events', masks: ReadonlyMap<number, number>) => {
    if (masks.size === 0) return;
    const isVisits = list === 'visits';
    const ids = view.column(isVisits ? 'page' : 'event');
    const itemFlags = view.column(isVisits ? 'visitFlags' : 'eventFlags');
    const seconds = view.column(isVisits ? 'visitSecond' : 'eventSecond');
    const ms = view.column(isVisits ? 'visitMs' : 'eventMs');
    const firsts = view.firsts(list);
    for (let i = 0; i < view.sessions; i++) {
      if (!isCounted(i)) continue;
      for (let item = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; item < end; item++) {
        const mask = masks.get(ids[item] ?? 0);
        if (mask === undefined || ((itemFlags[item] ?? 0) & excluded) !== 0) continue;
        add(i, timeOf((starts[i] ?? 0) + (seconds[item] ?? 0), ms[item] ?? 0), mask);
      }
    }
  };
  scan('visits', stepMasks(steps.map(({ pages }) => pages)));
  scan('events', stepMasks(steps.map(({ events }) => events)));
  const own = extras.get(view.segment.segment);
  if (!own) return;
  const indexOf = new Map(Array.from(view.column('offset').subarray(0, view.sessions), (offset, i) => [offset, i]));
  for (const { offset, at, mask } of own) {
    const i = indexOf.get(offset);
    if (i !== undefined && isCounted(i)) add(i, at, mask);
  }
}

function stepMasks(steps: ReadonlySet<number>[]): Map<number, number> {
  const masks = new Map<number, number>();
  steps.forEach((ids, i) => {
    for (const id of ids) masks.set(id, (masks.get(id) ?? 0) | (1 << i));
  });
  return masks;
}

/** Of all visitors together: 230 MB while they are grouped. */
const MAX_ACTIONS = 8_000_000;

interface ActionList {
  subjects: Int32Array;
  times: Float64Array;
  masks: Uint16Array;
  groups: Int32Array;
  size: number;
}

/** Actions of sessions or visitors that match a step. */
class Actions {
  #subjects = new Int32Array(4_096);
  #times = new Float64Array(4_096);
  /** A bit for each step that the action matches. */
  #masks = new Uint16Array(4_096);
  #groups = new Int32Array(4_096);
  #size = 0;

  add(subject: number, at: number, mask: number, group: number): void {
    if (this.#size === this.#subjects.length) this.#grow(this.#size + 1);
    this.#subjects[this.#size] = subject;
    this.#times[this.#size] = at;
    this.#groups[this.#size] = group;
    this.#masks[this.#size++] = mask;
  }

  get list(): ActionList {
    const [subjects, times, masks] = [this.#subjects, this.#times, this.#masks];
    return { subjects, times, masks, groups: this.#groups, size: this.#size };
  }

  addAll({ subjects, times, masks, groups, size }: ActionList): void {
    if (this.#size + size > this.#subjects.length) this.#grow(this.#size + size);
    this.#subjects.set(subjects.subarray(0, size), this.#size);
    this.#times.set(times.subarray(0, size), this.#size);
    this.#masks.set(masks.subarray(0, size), this.#size);
    this.#groups.set(groups.subarray(0, size), this.#size);
    this.#size += size;
  }

  #grow(needed: number): void {
    if (needed > MAX_ACTIONS) throw new ReportTooLarge();
    const size = Math.min(Math.max(this.#size * 2, needed), MAX_ACTIONS);
    const [subjects, times] = [new Int32Array(size), new Float64Array(size)];
    const [masks, groups] = [new Uint16Array(size), new Int32Array(size)];
    subjects.set(this.#subjects);
    times.set(this.#times);
    masks.set(this.#masks);
    groups.set(this.#groups);
    [this.#subjects, this.#times, this.#masks, this.#groups] = [subjects, times, masks, groups];
  }

  /** Counts the attempts of each subject and clears the actions. @param subjects all are below this */
  countInto(attempts: FunnelAttempts, subjects: number): void {
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
    const [times, masks, groups] = [this.#times, this.#masks, this.#groups];
    for (let subject = 0; subject < subjects; subject++) {
      const [start, end] = [ends[subject] ?? 0, ends[subject + 1] ?? 0];
      if (start === end) continue;
      orderByTime(order, times, start, end);
      attempts.start();
      for (let i = start; i < end; i++) {
        const index = order[i] ?? 0;
        attempts.add(times[index] ?? 0, masks[index] ?? 0, groups[index] ?? 0);
      }
      attempts.finish();
    }
    this.#size = 0;
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
