import { defineLimits } from '../shared/limits.ts';

export const FILE_LIMITS = defineLimits({
  tags: [50, 'Tags of a file'],
  tagLength: [100, 'Tag of a file'],
  nameLength: [200, 'Name of a file; a longer one is cut when it is uploaded'],
  altLength: [1_000, 'Alternative text of a file'],
});

export const LIMITS = FILE_LIMITS.values;
