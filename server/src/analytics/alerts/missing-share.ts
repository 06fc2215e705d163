import type { Discrepancies } from '../discrepancies/contract.ts';

/** Why a destination is not meant to be told: its settings, what the platform takes, and people whom it cannot or must not know. */
const NOT_MEANT = [
  ...['before_start', 'event_not_mapped', 'event_filtered', 'source_filtered', 'value_below_minimum', 'mapping'],
  ...['value_untrusted', 'value_zero', 'value_negative', 'too_old', 'no_identifier', 'withdrawn', 'erased', 'unqueued'],
];

type Row = Discrepancies['rows'][number];

/**
 * The share that is missing at a destination of what it was meant to be told by now: not of sales that it could not attribute, that visitors
 * withheld, or that wait for their time.
 */
export function missingShareOf({
  revenue,
  difference,
  notSent,
  notAdjustable,
  noConsent,
  waiting,
}: Pick<Row, 'revenue' | 'difference' | 'notSent' | 'notAdjustable' | 'noConsent' | 'waiting'>): number {
  const notMeant = [noConsent, notAdjustable, waiting, ...NOT_MEANT.map((reason) => notSent[reason] ?? 0)];
  const without = notMeant.reduce<number>((sum, amount) => sum + Number(amount), 0);
  const meant = Number(revenue) - without;
  return meant <= 0 ? 0 : (Number(difference) - without) / meant;
}
