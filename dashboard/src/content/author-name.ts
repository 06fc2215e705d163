import type { EntryVersion } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

const TYPE_LABELS = { user: t('Former member'), key: t('API key'), command: t('Command line') };

/** Who made a change. */
export const authorName = (author: EntryVersion['by']): string =>
  author === null ? t('Unknown') : (author.name ?? TYPE_LABELS[author.type]);
