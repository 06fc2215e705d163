import type { Entry } from '@headwater/sdk';

/** Whether an entry is published, and as it is. */
export function publishingState({ version, publishedVersion = null }: Entry): { label: string; color: string } {
  if (publishedVersion === null) return { label: 'Draft', color: 'gray' };
  return publishedVersion === version
    ? { label: 'Published', color: 'green' }
    : { label: 'Unpublished changes', color: 'blue' };
}
