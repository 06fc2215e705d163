import type { Release } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export const STATUS_LABELS: Record<Release['status'], string> = {
  open: t('Open'),
  scheduled: t('Scheduled'),
  completed: t('Published'),
  failed: t('Failed'),
  canceled: t('Canceled'),
};

export const STATUS_COLORS: Record<Release['status'], string> = {
  open: 'gray',
  scheduled: 'blue',
  completed: 'teal',
  failed: 'red',
  canceled: 'gray',
};
