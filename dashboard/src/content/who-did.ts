import type { EntryVersion } from '@headwater/sdk';

const KINDS = { user: 'A former member', key: 'An API key', command: 'The command line' };

/** Who made a change, in words. */
export const whoDid = (by: EntryVersion['by']): string => (by === null ? 'Unknown' : (by.name ?? KINDS[by.kind]));
