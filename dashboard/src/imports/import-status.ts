import type { Import } from '@headwater/sdk';

export const IMPORT_STATUS_LABELS: Record<Import['status'], string> = {
  uploaded: 'Uploaded',
  dry_running: 'Creating preview',
  dry_run_completed: 'Preview ready',
  importing: 'Importing',
  imported: 'Imported',
  undoing: 'Undoing',
  undone: 'Undone',
  stopped: 'Stopped',
};
