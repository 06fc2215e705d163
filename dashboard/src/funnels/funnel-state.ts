import { PERIODS } from '../overview/overview-state.ts';

export interface Step {
  kind: 'page' | 'event';
  name: string;
}

/** A funnel and the days it is looked at, as its address has them: to be kept, or sent to somebody. */
export interface FunnelState {
  steps?: Step[];
  period?: string;
  by?: 'visitor';
}

const MAX_STEPS = 10;

/** Reads an address that anybody may have written. */
export function readFunnelState(search: Record<string, unknown>): FunnelState {
  const { steps, period, by } = search;
  const known = Array.isArray(steps) ? steps.filter(isStep).slice(0, MAX_STEPS) : [];
  return {
    ...(known.length > 0 && { steps: known }),
    ...(typeof period === 'string' && period in PERIODS && { period }),
    ...(by === 'visitor' && { by }),
  };
}

function isStep(value: unknown): value is Step {
  const { kind, name } = (value ?? {}) as Record<string, unknown>;
  return (kind === 'page' || kind === 'event') && typeof name === 'string' && name !== '';
}
