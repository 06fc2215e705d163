import { parentPort } from 'node:worker_threads';

/** The script of a thread that `runInThread` starts: runs what it is sent. An error ends the thread and is thrown to the sender. */
export function serveThread<Plan, Result>(
  run: (plan: Plan, report: (progress: number) => void) => Promise<Result>,
): void {
  parentPort?.on('message', async (plan: Plan) => {
    const done = await run(plan, (progress) => parentPort?.postMessage({ progress }));
    parentPort?.postMessage({ done });
  });
}
