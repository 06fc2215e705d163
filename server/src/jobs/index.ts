import type { Deps, Module } from '../shared/deps.ts';
import type { Listener } from '../shared/postgres/listener.ts';
import type { JobHandlers } from './handler.ts';
import { jobRoutes } from './routes.ts';
import { JobRunner } from './runner.ts';

export { Job } from './contract.ts';
export { enqueueJob } from './enqueue-job.ts';
export { expireResults } from './expire-jobs.ts';
export { JobError, type JobHandler, type JobHandlers, type JobResult, type JobRun } from './handler.ts';
export { countQueuedJobs, lockRun, releaseJobs, wakeRunners } from './queries.ts';
export { serializeJobs } from './serialize-job.ts';

/** @param handlers of the job types of all modules */
export function jobsModule(deps: Deps, listener: Listener, handlers: JobHandlers): Module {
  const runner = new JobRunner(deps, listener, handlers);
  deps.metrics.gauge('headwater_jobs_running', 'Jobs that this process is running', () => runner.running);
  return { routes: (app) => jobRoutes(app, deps), workers: [runner] };
}
