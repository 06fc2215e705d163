import type { Numbers } from '../contract.ts';
import { type Exchange, toRevenue } from './convert-revenue.ts';
import { noCounts, type SessionCounts } from './count-dimension.ts';
import type { OutcomeRow } from './outcome-queries.ts';

/** What sessions led to. */
export interface Outcomes {
  leads: number;
  conversions: number;
  refunds: number;
  convertingSessions: number;
  /** By currency, and day of the sale where it has to be converted; decimal. */
  revenue: Map<string | null, string>;
}

export function noOutcomes(): Outcomes {
  return { leads: 0, conversions: 0, refunds: 0, convertingSessions: 0, revenue: new Map() };
}

/** Each group has one row for its leads, one for its converting sessions, and one for the conversions of each currency. */
export function addOutcome(outcomes: Outcomes, row: OutcomeRow): void {
  if (row.type === 'leads') outcomes.leads += row.count;
  else if (row.type === 'converting') outcomes.convertingSessions += row.count;
  else {
    outcomes.conversions += row.count;
    outcomes.refunds += row.refunds;
    if (row.revenue !== null) outcomes.revenue.set(row.sold_in, row.revenue);
  }
}

export function toNumbers(
  counts: SessionCounts | undefined,
  exchange: Exchange,
  outcomes: Outcomes = noOutcomes(),
): Numbers {
  const { visits, visitors, sessions, bounces, sessionVisits, seconds } = counts ?? noCounts();
  const { revenue, ...others } = outcomes;
  // The two counts may be a moment apart.
  const convertingSessions = Math.min(sessions, outcomes.convertingSessions);
  const ratio = (sum: number) => (sessions === 0 ? null : sum / sessions);
  const conversionRate = ratio(convertingSessions);
  const engagement = {
    bounceRate: ratio(bounces),
    visitsPerSession: ratio(sessionVisits),
    sessionDuration: ratio(seconds),
  };
  return {
    ...{ visits, visitors, sessions, ...engagement, ...others, convertingSessions, conversionRate },
    ...toRevenue(revenue, exchange),
  };
}
