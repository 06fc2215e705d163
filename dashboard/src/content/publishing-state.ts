import type { Entry } from '@headwater/sdk';

/** Whether an entry is published, and whether it has changed since. */
export function publishingState({ version, publishedVersion = null }: Entry): { label: string; color: string } {
  if (publishedVersion === null) return { label: 'Draft', color: 'gray' };
  return publishedVersion === version
    ? { label: 'Published', color: 'teal' }
    : { label: 'Unpublished changes', color: 'blue' };
}
