/** A process that starts jobs and never finishes one, for a test that kills it. */
import type { JobRun } from '../src/jobs/index.ts';
import { JobRunner } from '../src/jobs/runner.ts';
import type { Deps } from '../src/shared/deps.ts';
import { createLog } from '../src/shared/log.ts';
import { openDatabase } from '../src/shared/postgres/database.ts';
import { Listener } from '../src/shared/postgres/listener.ts';

const log = createLog('silent');
const db = openDatabase(JSON.parse(process.env.CONNECTION ?? ''), 4, () => {});
const deps = { db, log, clock: () => Date.now() } as Deps;
const listener = new Listener(db, log);
const handler = {
  run(job: JobRun) {
    console.log(`attempt ${job.attempt}`);
    return new Promise<never>(() => {});
  },
};
const options = { pollMs: 100, leaseSeconds: Number(process.env.LEASE) };
new JobRunner(deps, listener, { [process.env.TYPE ?? '']: handler }, options).start();
void listener.start();
