import {
  acceptsNone,
  acceptsValue,
  type Condition,
  type Dimension,
  type Filters,
  isNegated,
  type Operator,
  PLATFORMS,
  SINGLE_VALUED,
} from '../dimensions.ts';
import { type Part, SEGMENT_SIZE } from './segment.ts';
import type { SegmentView } from './segment-view.ts';

/** Tells by index whether a session passes the filters; undefined: all do. Valid until the next segment is shown. */
export type SessionFilter = (view: SegmentView) => Uint8Array | undefined;

/** The ids that the texts of each condition stand for. */
export type FilterIds = ReadonlyMap<Condition, ReadonlySet<number>>;

/**
 * A session passes when it passes every condition. Hidden sessions do not pass.
 */
export function compileFilters(filters: Filters, idsOf: FilterIds = new Map()): SessionFilter {
  const checks = Object.entries(filters).flatMap(([dimension, conditions]) =>
    conditions.map((condition) => compile(dimension as Dimension, condition, idsOf.get(condition) ?? new Set())),
  );
  const passes = new Uint8Array(SEGMENT_SIZE);
  return (view) => {
    if (checks.length === 0 && !view.hidden) return undefined;
    passes.fill(1);
    if (view.hidden) hide(view, view.hidden, passes);
    for (const check of checks) check(view, passes);
    return passes;
  };
}

function hide(view: SegmentView, hidden: ReadonlySet<number>, passes: Uint8Array): void {
  const offsets = view.column('offset');
  for (let i = 0; i < view.sessions; i++) if (hidden.has(offsets[i] ?? 0)) passes[i] = 0;
}

/** The parts that filters need. */
export function partsOfFilters(filters: Filters): Part[] {
  return (Object.keys(filters) as Dimension[]).flatMap((name) => partsOf(name));
}

/** The parts that hold the values of a dimension. */
export function partsOf(dimension: Dimension): Part[] {
  if (dimension === 'page') return ['pages'];
  if (dimension === 'event') return ['event_names'];
  if (dimension === 'funnel') return ['event_funnels'];
  return dimension === 'platform' ? [] : [SINGLE_VALUED[dimension]];
}

/** The parts that tell when visits or events with a value happened. */
export function timePartsOf(dimension: Dimension): Part[] {
  if (dimension === 'page') return ['visits'];
  return dimension === 'event' || dimension === 'funnel' ? ['events'] : [];
}

/** Clears `passes` for sessions that do not match. */
type Check = (view: SegmentView, passes: Uint8Array) => void;

function compile(dimension: Dimension, condition: Condition, ids: ReadonlySet<number>): Check {
  if (dimension === 'platform') return platformCheck(condition);
  const passesNone = acceptsNone(condition);
  const passesMatch = !isNegated(condition.operator);
  if (dimension !== 'page' && dimension !== 'event' && dimension !== 'funnel') {
    return (view, passes) => {
      const column = view.column(SINGLE_VALUED[dimension]);
      for (let i = 0; i < view.sessions; i++) {
        const id = column[i] ?? 0;
        if (id === 0 ? !passesNone : ids.has(id) !== passesMatch) passes[i] = 0;
      }
    };
  }
  const list = dimension === 'page' ? 'visits' : 'events';
  return (view, passes) => {
    const column = view.column(dimension);
    const firsts = view.firsts(list);
    for (let i = 0; i < view.sessions; i++) {
      if (passes[i] === 0) continue;
      let hasValue = false;
      let hasMatch = false;
      for (let item = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; item < end && !hasMatch; item++) {
        const id = column[item] ?? 0;
        if (id === 0) continue;
        hasValue = true;
        hasMatch = ids.has(id);
      }
      if (hasValue ? hasMatch !== passesMatch : !passesNone) passes[i] = 0;
    }
  };
}

function platformCheck(condition: Condition): Check {
  const isListed = {
    ...condition,
    operator: isNegated(condition.operator) ? toPositive(condition.operator) : condition.operator,
  };
  const listed = PLATFORMS.reduce((bits, name, i) => (acceptsValue(isListed, name) ? bits | (1 << i) : bits), 0);
  const passesNone = acceptsNone(condition);
  const passesMatch = !isNegated(condition.operator);
  return (view, passes) => {
    const column = view.column('platforms');
    for (let i = 0; i < view.sessions; i++) {
      const platforms = column[i] ?? 0;
      if (platforms === 0 ? !passesNone : ((platforms & listed) !== 0) !== passesMatch) passes[i] = 0;
    }
  };
}

const toPositive = (operator: Operator): Operator => (operator === 'isNot' ? 'is' : 'contains');
