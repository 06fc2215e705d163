import type { Room } from '../shared/deps.ts';
import { jobRoutes } from './routes.ts';
import { JobRunner } from './runner.ts';

export { Job } from './contract.ts';
export { describeJobs } from './describe-jobs.ts';
export { enqueueJob } from './enqueue-job.ts';
export { expireResults } from './expire-results.ts';
export { JobError, type JobHandler, type JobResult, type JobRun, registerJob } from './handlers.ts';
export { holdJob } from './queries.ts';

export const jobsRoom: Room = (app, deps) => {
  jobRoutes(app, deps);
  const runner = new JobRunner(deps);
  deps.metrics.gauge('headwater_jobs_running', 'Jobs that this process runs', () => runner.running);
  return [runner];
};
