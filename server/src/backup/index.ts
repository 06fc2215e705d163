export { type BackupOptions, runBackupCommand } from './commands.ts';
export { newestBackup, scheduledBackups } from './scheduled-backups.ts';
export { upgradeCluster } from './upgrade-cluster.ts';
