/** Work that outlives a request. Its tables: jobs. */
import type { Deps, Module } from '../shared/deps.ts';
import type { Listener } from '../shared/postgres/listener.ts';
import { MOST_OVERDUE, overdueRows, type Queue } from '../shared/queue.ts';
import type { JobHandlers } from './handler.ts';
import { findOverdueJobs } from './queries.ts';
import { jobRoutes } from './routes.ts';
import { JobRunner } from './runner.ts';

export { Job } from './contract.ts';
export { enqueueJob } from './enqueue-job.ts';
export { expireResults } from './expire-jobs.ts';
export { JobError, type JobHandler, type JobHandlers, type JobResult, type JobRun } from './handler.ts';
export { countQueuedJobs, findUnfinishedJob, lockRun, releaseJobs, wakeRunners } from './queries.ts';
export { serializeJobs } from './serialize-job.ts';

/**
 * @param handlers of the job types of all modules
 * @param importTypes those of imports, which are a queue of their own in alarms
 */
export function jobsModule(
  deps: Deps,
  listener: Listener,
  handlers: JobHandlers,
  importTypes: readonly string[] = [],
): Module {
  const runner = new JobRunner(deps, listener, handlers);
  deps.metrics.gauge('headwater_jobs_running', 'Jobs that this process is running', () => runner.running);
  const queue = (name: string, label: string, isOf: (type: string) => boolean): Queue => ({
    name,
    label,
    tables: ['jobs'],
    findOverdue: async (before) => {
      const found = await findOverdueJobs(deps.db, { before, limit: MOST_OVERDUE });
      return overdueRows(found.filter(({ subject }) => isOf(subject)));
    },
  });
  return {
    routes: (app) => jobRoutes(app, deps),
    workers: [runner],
    queues: [
      queue('jobs', 'Jobs', (type) => !importTypes.includes(type)),
      queue('imports', 'Imports', (type) => importTypes.includes(type)),
    ],
  };
}
