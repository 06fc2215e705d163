import { serveThread } from '../shared/serve-thread.ts';
import { type BackupPlan, writeBackup } from './write-backup.ts';

// Run by scheduled-backups.ts.
serveThread((plan: BackupPlan) => writeBackup(plan));
