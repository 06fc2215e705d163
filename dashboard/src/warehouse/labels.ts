import type { Warehouse } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export type Dataset = Warehouse['datasets'][number];

export const DATASET_LABELS: Record<Dataset, string> = {
  sessions: t('Sessions'),
  visits: t('Visits'),
  events: t('Events'),
  leads: t('Leads'),
  conversions: t('Conversions'),
  unmatched: t('Unmatched conversions'),
  adCosts: t('Ad spend'),
  entries: t('Entries'),
};
