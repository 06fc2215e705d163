import type { Entry } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

/** Whether an entry is published, and whether it has changed since in any published locale. */
export function publishingState({ version, publishedVersion = null, publishedLocales = {} }: Entry) {
  if (publishedVersion === null) return { label: t('Draft'), color: 'gray', hasChanges: false };
  const hasChanges = [publishedVersion, ...Object.values(publishedLocales)].some((each) => each !== version);
  return hasChanges
    ? { label: t('Unpublished changes'), color: 'blue', hasChanges }
    : { label: t('Published'), color: 'teal', hasChanges };
}
