import { parentPort, workerData } from 'node:worker_threads';
import { type ReportQuery, Reports } from './reports.ts';

// Started by run-reports.ts. One report after another: they share what was read.
const reports = new Reports(workerData);
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', ({ id, query }: { id: number; query: ReportQuery }) => {
  last = last.then(async () => {
    try {
      parentPort?.postMessage({ id, result: await reports.make(query) });
    } catch (error) {
      parentPort?.postMessage({ id, error });
    }
  });
});
