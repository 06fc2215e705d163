import { parentPort, workerData } from 'node:worker_threads';
import { ReportEngine, type ReportRequest } from './report-engine.ts';
import { ReportTooLarge } from './report-too-large.ts';

export interface ThreadRequest {
  request: ReportRequest;
  onReplica: boolean;
}

/** `refusal`: the request cannot be served as it is. */
export type ThreadResponse = { result: unknown } | { refusal: { code: string; detail: string } } | { error: unknown };

// The script of the report thread, started by report-runner.ts. Reports share the cache of segments.
const engine = new ReportEngine(workerData);
const respond = (response: ThreadResponse) => parentPort?.postMessage(response);
parentPort?.on('message', async ({ request, onReplica }: ThreadRequest) => {
  try {
    respond({ result: await engine.run(request, onReplica) });
  } catch (error) {
    if (error instanceof ReportTooLarge) respond({ refusal: { code: error.code, detail: error.message } });
    else respond({ error });
  }
});
