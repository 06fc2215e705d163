import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { finding } from '../proof.ts';
import { send } from '../support.ts';
import type { Keys, Workload } from './workload.ts';

const POLL_MS = 100;

/** Exports, each from its start to its download. */
export function exportsWorkload({ token }: Keys): Workload {
  const jobs = new Map<number, string>();
  const failed: string[] = [];
  let started = 0;
  let completed = 0;
  return {
    name: 'exports',
    async step(service, client) {
      if (!jobs.has(client)) {
        const body = { dataset: 'events', format: 'ndjson' };
        const { status, body: job } = await send(service, 'POST /v1/analytics/export', { token, body });
        if (status !== 200) return status;
        jobs.set(client, job.id);
        started++;
      }
      for (;;) {
        const { status, body: job } = await send(service, `GET /v1/jobs/get-by-id?id=${jobs.get(client)}`, { token });
        if (status !== 200) return status;
        if (job.status === 'completed') {
          const { pathname, search } = new URL(job.result.url);
          const response = await fetch(service.url + pathname + search);
          const hash = createHash('sha256').update(Buffer.from(await response.arrayBuffer()));
          if (response.status !== 200) return response.status;
          if (hash.digest('hex') === job.result.sha256) completed++;
          else failed.push('the file has another digest');
        } else if (job.status === 'failed') failed.push(job.error.code);
        if (job.finishedAt !== null) {
          jobs.delete(client);
          return 200;
        }
        await sleep(POLL_MS);
      }
    },
    check: async () => [
      finding(
        'every acknowledged export completes, with the file of its digest',
        [`${started} started, ${completed} completed`, ...new Set(failed)].join(', '),
        completed === started && completed > 0,
      ),
    ],
  };
}
