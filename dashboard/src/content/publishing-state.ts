import type { Entry } from '@headwater/sdk';

/** Whether an entry is published, and whether it has changed since in any published locale. */
export function publishingState({ version, publishedVersion = null, publishedLocales = {} }: Entry) {
  if (publishedVersion === null) return { label: 'Draft', color: 'gray', hasChanges: false };
  const hasChanges = [publishedVersion, ...Object.values(publishedLocales)].some((each) => each !== version);
  return hasChanges
    ? { label: 'Unpublished changes', color: 'blue', hasChanges }
    : { label: 'Published', color: 'teal', hasChanges };
}
