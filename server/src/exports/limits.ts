import { defineLimits } from '../shared/limits.ts';

export const EXPORT_LIMITS = defineLimits({
  // More than any dataset has columns.
  fields: [100, '`fields` of an export'],
});

export const LIMITS = EXPORT_LIMITS.values;
