import { parentPort, workerData } from 'node:worker_threads';
import { type CopyPlan, copyCluster } from './copy-cluster.ts';

// Started by continuous-backups.ts, which receives any error thrown here as the thread's error.
const done = await copyCluster(workerData as CopyPlan);
parentPort?.postMessage({ done });
