import { type Dimension, type Filters, PLATFORMS } from '../dimensions.ts';
import {
  CAMPAIGN,
  COUNTRY,
  DEVICE,
  EVENT_STRIDE,
  LANDING_PAGE,
  MEDIUM,
  offsetOf,
  platformsOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type Segment,
  SOURCE,
  VISIT_STRIDE,
} from './segment.ts';

/** The column of a session that holds a dimension with one value. */
export const SESSION_COLUMNS: Partial<Record<Dimension, number>> = {
  source: SOURCE,
  medium: MEDIUM,
  campaign: CAMPAIGN,
  landingPage: LANDING_PAGE,
  country: COUNTRY,
  device: DEVICE,
};

/** Tells by offset whether a session of the segment passes the filters; undefined: all do. */
export type SessionFilter = (segment: Segment) => Uint8Array | undefined;

/** A session passes when it has one of the values of every filter. */
export function compileFilters(filters: Filters, idOf: (name: string | null) => number): SessionFilter {
  const conditions = Object.entries(filters).map(([dimension, values]) =>
    compileFilter(dimension as Dimension, values, idOf),
  );
  if (conditions.length === 0) return () => undefined;
  return (segment) => {
    const passes = new Uint8Array(SEGMENT_SIZE).fill(1);
    for (const condition of conditions) condition(segment, passes);
    return passes;
  };
}

/** Clears `passes` for sessions that do not match. */
type Condition = (segment: Segment, passes: Uint8Array) => void;

function compileFilter(
  dimension: Dimension,
  values: (string | null)[],
  idOf: (name: string | null) => number,
): Condition {
  if (dimension === 'platform') return platformCondition(values);
  const ids = new Set(values.map(idOf));
  const column = SESSION_COLUMNS[dimension];
  if (column !== undefined) {
    return ({ sessions }, passes) => {
      for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
        if (!ids.has(sessions[i + column] ?? 0)) passes[offsetOf(sessions[i] ?? 0)] = 0;
      }
    };
  }
  const [list, stride, itemColumn] =
    dimension === 'page'
      ? (['visits', VISIT_STRIDE, 2] as const)
      : (['events', EVENT_STRIDE, dimension === 'event' ? 2 : 3] as const);
  const acceptsNone = ids.delete(0);
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
    for (let i = 0; i < SEGMENT_SIZE; i++) if (!hasMatch[i] && !(acceptsNone && !hasValue[i])) passes[i] = 0;
  };
}

function platformCondition(values: (string | null)[]): Condition {
  const accepted = values.reduce((bits, name) => {
    const bit = name === null ? -1 : PLATFORMS.indexOf(name);
    return bit < 0 ? bits : bits | (1 << bit);
  }, 0);
  const acceptsNone = values.includes(null);
  return ({ sessions }, passes) => {
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const platforms = platformsOf(tag);
      if ((platforms & accepted) === 0 && !(acceptsNone && platforms === 0)) passes[offsetOf(tag)] = 0;
    }
  };
}
