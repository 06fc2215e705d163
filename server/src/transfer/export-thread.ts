import { parentPort, workerData } from 'node:worker_threads';
import { type EntriesExportPlan, writeEntries } from './export-entries.ts';

// Started by start-export.ts. What is thrown here reaches it as the thread's error.
const done = await writeEntries(workerData as EntriesExportPlan, (progress) => parentPort?.postMessage({ progress }));
parentPort?.postMessage({ done });
