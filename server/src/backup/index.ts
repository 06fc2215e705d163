export { type BackupOptions, runBackupCommand } from './commands.ts';
export { scheduledBackups } from './scheduled-backups.ts';
