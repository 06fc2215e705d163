import { defineLimits } from '../shared/limits.ts';

export const SQL_LIMITS = defineLimits({
  characters: [16_000, 'Characters of a statement'],
  parameters: [100, 'Parameters of a statement'],
  seconds: [60, 'Seconds of a statement, until its last row is sent'],
});

export const LIMITS = SQL_LIMITS.values;
