import { type Dimension, type Filters, PLATFORMS } from './dimensions.ts';
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

/** Where a session keeps the dimensions of which it has one value. */
export const PLACES: Partial<Record<Dimension, number>> = {
  source: SOURCE,
  medium: MEDIUM,
  campaign: CAMPAIGN,
  landingPage: LANDING_PAGE,
  country: COUNTRY,
  device: DEVICE,
};

/** For each session of a segment whether it is chosen, by offset; undefined: all are. */
export type Choose = (segment: Segment) => Uint8Array | undefined;

/** Chooses the sessions that have one of the values of every filter. */
export function chooser(filters: Filters, idOf: (name: string | null) => number): Choose {
  const conditions = Object.entries(filters).map(([dimension, values]) =>
    conditionOf(dimension as Dimension, values, idOf),
  );
  if (conditions.length === 0) return () => undefined;
  return (segment) => {
    const chosen = new Uint8Array(SEGMENT_SIZE).fill(1);
    for (const condition of conditions) condition(segment, chosen);
    return chosen;
  };
}

/** Takes from `chosen` what does not fit. */
type Condition = (segment: Segment, chosen: Uint8Array) => void;

function conditionOf(
  dimension: Dimension,
  values: (string | null)[],
  idOf: (name: string | null) => number,
): Condition {
  const place = PLACES[dimension];
  if (dimension === 'platform') return platformCondition(values);
  const ids = new Set(values.map(idOf));
  if (place !== undefined) {
    return ({ sessions }, chosen) => {
      for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
        if (!ids.has(sessions[i + place] ?? 0)) chosen[offsetOf(sessions[i] ?? 0)] = 0;
      }
    };
  }
  const [list, stride, at] =
    dimension === 'page'
      ? (['visits', VISIT_STRIDE, 2] as const)
      : (['events', EVENT_STRIDE, dimension === 'event' ? 2 : 3] as const);
  const takesNone = ids.delete(0);
  return (segment, chosen) => {
    const rows = segment[list];
    const [has, hasOne] = [new Uint8Array(SEGMENT_SIZE), new Uint8Array(SEGMENT_SIZE)];
    for (let i = 0; i < rows.length; i += stride) {
      const id = rows[i + at] ?? 0;
      if (id === 0) continue;
      const offset = offsetOf(rows[i] ?? 0);
      has[offset] = 1;
      if (ids.has(id)) hasOne[offset] = 1;
    }
    for (let i = 0; i < SEGMENT_SIZE; i++) if (!hasOne[i] && !(takesNone && !has[i])) chosen[i] = 0;
  };
}

function platformCondition(values: (string | null)[]): Condition {
  const bits = values.reduce((sum, name) => {
    const bit = name === null ? -1 : PLATFORMS.indexOf(name);
    return bit < 0 ? sum : sum | (1 << bit);
  }, 0);
  const takesNone = values.includes(null);
  return ({ sessions }, chosen) => {
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const platforms = platformsOf(tag);
      if ((platforms & bits) === 0 && !(takesNone && platforms === 0)) chosen[offsetOf(tag)] = 0;
    }
  };
}
