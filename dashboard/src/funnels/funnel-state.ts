import { PERIODS } from '../overview/overview-state.ts';

export interface Step {
  type: 'page' | 'event';
  name: string;
}

/** A funnel and its period, as in the URL, so that it can be bookmarked and shared. */
export interface FunnelState {
  steps?: Step[];
  period?: string;
  by?: 'visitor';
}

const MAX_STEPS = 10;

/** Reads search parameters that may come from anywhere. */
export function readFunnelState(search: Record<string, unknown>): FunnelState {
  const { steps, period, by } = search;
  const valid = Array.isArray(steps) ? steps.filter(isStep).slice(0, MAX_STEPS) : [];
  return {
    ...(valid.length > 0 && { steps: valid }),
    ...(typeof period === 'string' && period in PERIODS && { period }),
    ...(by === 'visitor' && { by }),
  };
}

/** What the service counts. */
export const definitionOf = ({ steps = [], by }: FunnelState) => ({
  by: by ?? ('session' as const),
  steps: steps.map(({ type, name }) => (type === 'page' ? { page: name } : { event: name })),
});

function isStep(value: unknown): value is Step {
  const { type, name } = (value ?? {}) as Record<string, unknown>;
  return (type === 'page' || type === 'event') && typeof name === 'string' && name !== '';
}
