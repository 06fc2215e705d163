import { defineLimits } from '../shared/limits.ts';

export const FILE_LIMITS = defineLimits({
  unfinishedUploads: [100, 'Resumable uploads of an account that are not complete'],
  uploadTokens: [1_000, 'Upload tokens of an account that are neither used nor expired'],
  tags: [50, 'Tags of a file'],
  tagLength: [100, 'Tag of a file'],
  nameLength: [200, 'Name of a file; a longer one is cut when it is uploaded'],
  urlLength: [2_000, 'URL of a file to fetch'],
  altLength: [1_000, 'Alternative text, title or caption of a file'],
  folders: [1_000, 'Folders of an account'],
  folderDepth: [10, 'Folders within each other'],
  folderNameLength: [100, 'Name of a folder'],
});

export const LIMITS = FILE_LIMITS.values;
