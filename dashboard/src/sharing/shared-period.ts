import type { CreateSharedLinkRequest } from '@headwater/sdk';
import { DEFAULT_PERIOD, filtersOf, type OverviewState } from '../reports/overview-state.ts';
import { addDays, isDay } from '../shared/days.ts';

/** What a new link shares. */
export type Shareable = Pick<CreateSharedLinkRequest, 'period' | 'compare' | 'filters' | 'funnel'>;

/** A preset stays relative to the day on which the link is read. */
export const sharedPeriod = ({ period = DEFAULT_PERIOD, from, to }: OverviewState): Shareable['period'] =>
  from && to ? { from, to: isDay(to) ? addDays(to, 1) : to } : { preset: period };

/** The filters in the form of a body. */
export function sharedFilters(state: OverviewState): Pick<Shareable, 'filters'> {
  const filters: Record<string, Record<string, (string | null)[]>> = {};
  for (const { dimension, operator, values } of filtersOf(state)) {
    filters[dimension] = { ...filters[dimension], [operator]: values.map((value) => (value === '' ? null : value)) };
  }
  return Object.keys(filters).length > 0 ? { filters } : {};
}

/** The current overview, as a link shares it. */
export const sharedOverview = (state: OverviewState): Shareable => ({
  ...{ period: sharedPeriod(state), compare: state.compare ?? 'previous' },
  ...sharedFilters(state),
});
