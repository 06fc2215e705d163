import { defineLimits } from '../shared/limits.ts';

export const CONVERSION_LIMITS = defineLimits({
  eventLength: [255, 'Name of the event'],
  eventIdLength: [255, '`eventId`'],
  value: [1e18, 'Amount, positive or negative'],
  valueLength: [64, 'Amount as a string'],
  extraBytes: [32_768, 'Size of `extra` as JSON'],
  unmatchedDays: [30, 'How long an unmatched report is stored'],
});

export const LIMITS = CONVERSION_LIMITS.values;
