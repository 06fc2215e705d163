import { parentPort, workerData } from 'node:worker_threads';
import { type ReportQuery, Reports } from './reports.ts';

// Started by run-reports.ts, which asks for one report after another: they share what was read.
const reports = new Reports(workerData);
parentPort?.on('message', async (query: ReportQuery) => {
  try {
    parentPort?.postMessage({ result: await reports.make(query) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
