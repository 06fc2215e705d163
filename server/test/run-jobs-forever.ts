/** A process that takes up jobs and never ends one, for a test that kills it. */
import { registerJob } from '../src/jobs/index.ts';
import { JobRunner } from '../src/jobs/runner.ts';
import type { Deps } from '../src/shared/deps.ts';
import { createLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/shared/postgres/database.ts';

const db = openDatabase(JSON.parse(process.env.CONNECTION ?? ''), 4, () => {});
const deps = { db, log: createLog('silent'), clock: () => Date.now() } as unknown as Deps;
registerJob(deps, process.env.TYPE ?? '', {
  run(job) {
    console.log(`attempt ${job.attempt}`);
    return new Promise(() => {});
  },
});
new JobRunner(deps, { pollMs: 100, leaseSeconds: 2 }).start();
