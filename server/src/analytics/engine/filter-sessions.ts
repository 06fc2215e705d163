import {
  acceptsNone,
  acceptsValue,
  type Condition,
  type Dimension,
  type Filters,
  isNegated,
  type Operator,
  PLATFORMS,
} from '../dimensions.ts';
import {
  EVENT_STRIDE,
  offsetOf,
  platformsOf,
  SEGMENT_SIZE,
  SESSION_COLUMNS,
  SESSION_STRIDE,
  type Segment,
  VISIT_STRIDE,
} from './segment.ts';

/** Tells by offset whether a session of the segment passes the filters; undefined: all do. */
export type SessionFilter = (segment: Segment) => Uint8Array | undefined;

/** A session passes when it passes every condition. @param idsOf of the texts of conditions */
export function compileFilters(filters: Filters, idsOf: ReadonlyMap<Condition, ReadonlySet<number>>): SessionFilter {
  const checks = Object.entries(filters).flatMap(([dimension, conditions]) =>
    conditions.map((condition) => compile(dimension as Dimension, condition, idsOf.get(condition) ?? new Set())),
  );
  if (checks.length === 0) return () => undefined;
  return (segment) => {
    const passes = new Uint8Array(SEGMENT_SIZE).fill(1);
    for (const check of checks) check(segment, passes);
    return passes;
  };
}

/** Clears `passes` for sessions that do not match. */
type Check = (segment: Segment, passes: Uint8Array) => void;

function compile(dimension: Dimension, condition: Condition, ids: ReadonlySet<number>): Check {
  if (dimension === 'platform') return platformCheck(condition);
  const passesNone = acceptsNone(condition);
  const passesMatch = !isNegated(condition.operator);
  const column = SESSION_COLUMNS[dimension];
  if (column !== undefined) {
    return ({ sessions }, passes) => {
      for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
        const id = sessions[i + column] ?? 0;
        if (id === 0 ? !passesNone : ids.has(id) !== passesMatch) passes[offsetOf(sessions[i] ?? 0)] = 0;
      }
    };
  }
  const [list, stride, itemColumn] =
    dimension === 'page'
      ? (['visits', VISIT_STRIDE, 2] as const)
      : (['events', EVENT_STRIDE, dimension === 'event' ? 2 : 3] as const);
  return (segment, passes) => {
    const rows = segment[list];
    const [hasValue, hasMatch] = [new Uint8Array(SEGMENT_SIZE), new Uint8Array(SEGMENT_SIZE)];
    for (let i = 0; i < rows.length; i += stride) {
      const id = rows[i + itemColumn] ?? 0;
      if (id === 0) continue;
      const offset = offsetOf(rows[i] ?? 0);
      hasValue[offset] = 1;
      if (ids.has(id)) hasMatch[offset] = 1;
    }
    for (let i = 0; i < SEGMENT_SIZE; i++) {
      if (hasValue[i] ? (hasMatch[i] === 1) !== passesMatch : !passesNone) passes[i] = 0;
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
  return ({ sessions }, passes) => {
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const platforms = platformsOf(tag);
      if (platforms === 0 ? !passesNone : ((platforms & listed) !== 0) !== passesMatch) passes[offsetOf(tag)] = 0;
    }
  };
}

const toPositive = (operator: Operator): Operator => (operator === 'isNot' ? 'is' : 'contains');
