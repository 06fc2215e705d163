import { type Filters, SINGLE_VALUED, type SingleValued } from '../dimensions.ts';
import { compileFilters, partsOfFilters, type SessionFilter } from './filter-sessions.ts';
import { ActionFinder, type SessionActions } from './funnel-actions.ts';
import { type AttemptCounts, type Attempts, FunnelAttempts } from './funnel-attempts.ts';
import type { ExtraActions, FunnelPlan, FunnelWorkPlan, Population, StepIds, Work } from './plan.ts';
import { IS_DELETED, type Part } from './segment.ts';
import type { SegmentView } from './segment-view.ts';
import { type CollectedActions, countVisitors, VisitorActions } from './visitor-actions.ts';

/** The parts that a funnel needs. */
export function partsOfFunnel(filters: Filters, breakdownBy?: SingleValued): Part[] {
  const group = breakdownBy ? [SINGLE_VALUED[breakdownBy]] : [];
  return ['visits', 'pages', 'events', 'event_names', 'milliseconds', ...group, ...partsOfFilters(filters)];
}

/** Those of visitors that are in memory at a time: 16 to 20 bytes each, with what is reserved. */
const MAX_ACTIONS = 12_000_000;

/**
 * Counts how many sessions or visitors did the first step in the period and the others after it, in order (within one
 * millisecond visits come before events). Each counts once, by the attempt that came furthest.
 * By visitor, as many scans are made as their actions need memory.
 * @param plans differ in their period, and in whether they are broken down
 */
export async function countFunnel(
  population: Population,
  steps: StepIds[],
  plans: readonly FunnelPlan[],
  extras: ExtraActions = new Map(),
  maxActions = MAX_ACTIONS,
): Promise<Attempts[]> {
  const filters = plans[0]?.filters ?? {};
  const plan = { type: 'funnel', ids: await population.names.idsOfFilters(filters), steps, plans, extras } as const;
  const attempts = plans.map((each) => new FunnelAttempts(steps.length, each));
  for (let from = 0; from < Number.POSITIVE_INFINITY; ) {
    const part = { ...plan, from, maxActions: Math.floor(maxActions / plans.length / population.threads) };
    const work = new FunnelWork(part);
    await population.work(part, work);
    from = work.countInto(attempts);
  }
  return attempts.map((each) => each.result());
}

/** What a thread has counted of a period by session, or collected by visitor. */
interface FunnelPart {
  attempts: AttemptCounts;
  actions: CollectedActions;
}

export class FunnelWork implements Work<FunnelPart[]> {
  readonly #isByVisitor: boolean;
  readonly #filter: SessionFilter;
  readonly #finder: ActionFinder;
  readonly #counters: { plan: FunnelPlan; attempts: FunnelAttempts; actions: VisitorActions }[];
  readonly #merged: FunnelPart[][] = [];

  constructor(plan: FunnelWorkPlan) {
    this.#isByVisitor = plan.plans[0]?.by === 'visitor';
    this.#filter = compileFilters(plan.plans[0]?.filters ?? {}, plan.ids);
    this.#finder = new ActionFinder(plan);
    this.#counters = plan.plans.map((each) => ({
      plan: each,
      attempts: new FunnelAttempts(plan.steps.length, each),
      actions: new VisitorActions(plan.from, each.breakdownBy !== undefined, plan.maxActions),
    }));
  }

  add(view: SegmentView): void {
    if (!this.#finder.show(view)) return;
    const passes = this.#filter(view);
    const flags = view.column('flags');
    for (let i = 0; i < view.sessions; i++) {
      if (passes?.[i] === 0 || (this.#isByVisitor && ((flags[i] ?? 0) & IS_DELETED) !== 0)) continue;
      const found = this.#finder.actionsOf(view, i);
      if (found.size === 0) continue;
      for (const { plan, attempts, actions } of this.#counters) {
        const group = plan.breakdownBy === undefined ? 0 : (view.column(SINGLE_VALUED[plan.breakdownBy])[i] ?? 0);
        if (this.#isByVisitor) collect(found, plan, actions, view.segment.visitors[i] ?? 0, group);
        else count(found, plan, attempts, group);
      }
    }
  }

  get part(): FunnelPart[] {
    return this.#counters.map(({ attempts, actions }) => ({ attempts: attempts.part, actions: actions.collected }));
  }

  get buffers(): ArrayBuffer[] {
    return this.#counters.flatMap(({ actions }) => actions.buffers);
  }

  merge(parts: FunnelPart[]): void {
    this.#merged.push(parts);
  }

  /** @returns the number from which on visitors remain to be counted, by another scan */
  countInto(attempts: readonly FunnelAttempts[]): number {
    const parts = [this.part, ...this.#merged];
    const ofPlan = (i: number) => parts.flatMap((part) => part[i] ?? []);
    if (!this.#isByVisitor) {
      attempts.forEach((each, i) => {
        for (const part of ofPlan(i)) each.merge(part.attempts);
      });
      return Number.POSITIVE_INFINITY;
    }
    // Every period has to end at the same visitor.
    const end = Math.min(...parts.flat().map(({ actions }) => actions.end));
    attempts.forEach((each, i) => {
      countVisitors(
        ofPlan(i).map(({ actions }) => actions),
        end,
        each,
      );
    });
    return end;
  }
}

const isIn = (at: number, { period, window }: FunnelPlan) => at >= period.from && at <= period.to + window;

function collect(
  { times, masks, size }: SessionActions,
  plan: FunnelPlan,
  actions: VisitorActions,
  visitor: number,
  group: number,
): void {
  for (let i = 0; i < size; i++) {
    const at = times[i] ?? 0;
    if (isIn(at, plan)) actions.add(visitor, at, masks[i] ?? 0, group);
  }
}

function count(
  { times, masks, size }: SessionActions,
  plan: FunnelPlan,
  attempts: FunnelAttempts,
  group: number,
): void {
  attempts.start();
  for (let i = 0; i < size; i++) {
    const at = times[i] ?? 0;
    if (isIn(at, plan)) attempts.add(at, masks[i] ?? 0, group);
  }
  attempts.finish();
}
