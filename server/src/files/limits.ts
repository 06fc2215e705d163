import { defineLimits } from '../shared/limits.ts';

export const FILE_LIMITS = defineLimits({
  nameLength: [200, 'Name of a file; a longer one is cut when it is uploaded'],
  altLength: [1_000, 'Alternative text of a file'],
});

export const LIMITS = FILE_LIMITS.values;
