import { defineLimits } from '../shared/limits.ts';

export const CONVERSION_LIMITS = defineLimits({
  eventLength: [255, 'Name of the event'],
  eventIdLength: [255, '`eventId`'],
  value: [1e18, 'Amount, positive or negative'],
  valueLength: [64, 'Amount as a string'],
  extraBytes: [32_768, 'Size of `extra` as JSON'],
  extraDepth: [30, 'Nesting of `extra`'],
  reconciliations: [200, 'Reconciliations of an account'],
  reconciliationBytes: [67_108_864, 'Size of the file of a reconciliation'],
  reconciliationRows: [500_000, 'Rows of the file of a reconciliation'],
  reconciliationDays: [90, 'How long a reconciliation is stored'],
  unmatchedDays: [30, 'How long an unmatched report is stored'],
});

export const LIMITS = CONVERSION_LIMITS.values;
