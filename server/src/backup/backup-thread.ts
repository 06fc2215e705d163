import { parentPort, workerData } from 'node:worker_threads';
import { type BackupPlan, writeBackup } from './write-backup.ts';

// Started by scheduled-backups.ts, which receives any error thrown here as the thread's error.
const done = await writeBackup(workerData as BackupPlan);
parentPort?.postMessage({ done });
