import type { EntryVersion } from '@headwater/sdk';

const TYPE_LABELS = { user: 'Former member', key: 'API key', command: 'Command line' };

/** Who made a change. */
export const authorName = (author: EntryVersion['by']): string =>
  author === null ? 'Unknown' : (author.name ?? TYPE_LABELS[author.type]);
