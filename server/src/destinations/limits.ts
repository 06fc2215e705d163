import { defineLimits } from '../shared/limits.ts';

export const DESTINATION_LIMITS = defineLimits({
  destinations: [50, 'Destinations of an account'],
  nameLength: [100, 'Name of a destination'],
  credentialLength: [8_000, 'Each credential'],
  mappingRules: [100, 'Rules of a mapping'],
  filterValues: [100, 'Events, and sources, of a filter'],
  sendAfterSeconds: [30 * 86_400, '`sendAfter`'],
});

export const LIMITS = DESTINATION_LIMITS.values;
