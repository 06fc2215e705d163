import { t } from '../languages/translate.ts';

/** What an entry without a title is called. */
export const fallbackTitle = (entryId: string) => t('Untitled ({entryId})', { entryId: entryId.slice(-6) });
