import { defineLimits } from '../shared/limits.ts';

export const ACCOUNT_LIMITS = defineLimits({
  keys: [500, 'API keys of an account that are not revoked'],
});

export const LIMITS = ACCOUNT_LIMITS.values;
