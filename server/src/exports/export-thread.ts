import { parentPort, workerData } from 'node:worker_threads';
import { type ExportPlan, writeExport } from './write-export.ts';

// Started by run-export.ts, which receives any error thrown here as the thread's error.
const done = await writeExport(workerData as ExportPlan, (progress) => parentPort?.postMessage({ progress }));
parentPort?.postMessage({ done });
