import { parentPort, workerData } from 'node:worker_threads';
import { findSource } from './source.ts';
import { verifyBackup } from './verify-backup.ts';

export interface CheckPlan {
  location: string;
  name: string;
  dataDir: string;
}

// Started by check-backup.ts, which receives any error thrown here as the thread's error.
const { location, name, dataDir } = workerData as CheckPlan;
const { isValid, damaged } = await verifyBackup(await findSource(location, name, dataDir), undefined);
parentPort?.postMessage({ done: { isValid, damaged } });
