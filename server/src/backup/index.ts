/** Backups to files and storages, restoring, and continuous backups. */
import type { BackupOptions, runBackupCommand as run } from './commands.ts';

export { archivedUntil } from './continuous/chain.ts';
export { backupModule } from './routes.ts';
export { newestBackup } from './scheduled-backups.ts';
export { upgradeCluster } from './upgrade-cluster.ts';
export type { BackupOptions };

/** See `commands.ts`, which is loaded on demand: the service does not need it to start. */
export const runBackupCommand: typeof run = async (...all) => (await import('./commands.ts')).runBackupCommand(...all);
