import type { Import } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export const IMPORT_STATUS_LABELS: Record<Import['status'], string> = {
  uploaded: t('Uploaded'),
  dry_running: t('Creating preview'),
  dry_run_completed: t('Preview ready'),
  importing: t('Importing'),
  imported: t('Imported'),
  undoing: t('Undoing'),
  undone: t('Undone'),
  stopped: t('Stopped'),
};
