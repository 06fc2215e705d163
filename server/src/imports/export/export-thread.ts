import { parentPort, workerData } from 'node:worker_threads';
import { type EntriesExportPlan, writeEntries } from './write-entries.ts';

// Started by start-export.ts, which receives any error thrown here as the thread's error.
const done = await writeEntries(workerData as EntriesExportPlan, (progress) => parentPort?.postMessage({ progress }));
parentPort?.postMessage({ done });
