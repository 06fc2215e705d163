import { defineLimits } from '../shared/limits.ts';

export const COST_LIMITS = defineLimits({
  costSources: [50, 'Cost sources of an account'],
  nameLength: [100, 'Name of a cost source'],
  credentialLength: [8_000, 'Each credential of a cost source'],
  days: [365, 'Days that `refresh` reads at most'],
});

export const LIMITS = COST_LIMITS.values;
