import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { stretched } from '../../test/machine.ts';
import { testVault } from '../../test/test-keys.ts';
import { until } from '../../test/until.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { createLog } from '../shared/log.ts';
import { createMetrics } from '../shared/metrics.ts';
import { pageTokens } from '../shared/page-token.ts';
import type { Database } from '../shared/postgres/database.ts';
import { Listener } from '../shared/postgres/listener.ts';
import { sessionIds } from '../shared/session-ids.ts';
import { deleteExpiredJobs } from './expire-jobs.ts';
import { enqueueJob, JobError, type JobHandler, type JobRun } from './index.ts';
import { claimJobs } from './queries.ts';
import { JobRunner, type RunnerOptions } from './runner.ts';

const service = await testService();
const { db, clock } = service;

const runners: JobRunner[] = [];
const listeners: Listener[] = [];
// A test that failed has not stopped its own.
after(() => {
  for (const runner of runners) void runner.stop();
  for (const listener of listeners) void listener.close();
});

/** What one process has: its own deps, and so its own handlers. */
function newProcess(type: string, handler: JobHandler, options: Partial<RunnerOptions> = {}, database: Database = db) {
  const secret = Buffer.alloc(32, 7);
  const deps: Deps = {
    config: service.config,
    db: database,
    control: service.control,
    log: createLog('silent'),
    metrics: createMetrics(),
    clock: () => clock.now,
    pageTokens: pageTokens(secret),
    sessionIds: sessionIds(secret),
    vault: testVault(),
    secret,
    publicUrl: () => 'http://headwater.test',
  };
  const listener = new Listener(database, deps.log);
  const handlers = { [type]: handler };
  const runner = new JobRunner(deps, listener, handlers, { pollMs: 20, ...options });
  void listener.start();
  listeners.push(listener);
  runners.push(runner);
  return { deps, runner, handlers };
}

/** Jobs that end when the test says so. */
class Work implements JobHandler {
  readonly starts: (JobRun & { finish: (result?: Record<string, unknown>) => void; fail: (error: unknown) => void })[] =
    [];
  readonly discarded: unknown[] = [];
  /** Whether a job goes on working when it is told to stop. */
  deaf = false;

  run(job: JobRun) {
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      this.starts.push({ ...job, finish: (result = { made: job.attempt }) => resolve(result), fail: reject });
      job.signal.addEventListener('abort', () => this.deaf || reject(job.signal.reason));
    });
  }

  async discard(result: Record<string, unknown>) {
    this.discarded.push(result);
  }

  async start(n: number) {
    await until(() => this.starts.length > n);
    return this.starts[n] as (typeof this.starts)[number];
  }
}

let types = 0;
/** A type of its own for each test, so that no runner takes another test's jobs. */
const newType = () => `test-${++types}`;

const read = async (id: string) => {
  const { rows } = await db.query('select * from jobs where id = $1', [parseId('job', id)]);
  return rows[0];
};
const statusIs = (id: string, status: string) => until(async () => (await read(id)).status === status);
/** @param attempt whose lease it is; by default that of the latest one */
const leaseRanOut = (id: string, attempt?: number) =>
  db.query("update jobs set due_at = now() - interval '1 second' where id = $1 and attempt = coalesce($2, attempt)", [
    parseId('job', id),
    attempt,
  ]);

test('a job runs once it is committed, reports its progress, and keeps its result for 7 days', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  runner.start();
  const queued = await enqueueJob(deps, db, account.uuid, type, { of: 'mine' });
  assert.deepEqual(queued, {
    id: queued.id,
    type,
    status: 'queued',
    progress: 0,
    params: { of: 'mine' },
    result: null,
    error: null,
    createdAt: new Date(clock.now).toISOString(),
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
  });
  const run = await work.start(0);
  assert.deepEqual([run.accountId, run.id, run.attempt], [account.uuid, parseId('job', queued.id), 1]);
  assert.deepEqual(run.params, { of: 'mine' });
  run.report(0.25);
  await until(async () => (await read(queued.id)).progress === 0.25);
  run.report(0.1);
  run.report(Number.NaN);
  clock.now += 60_000;
  run.finish({ made: 'this' });
  await statusIs(queued.id, 'completed');
  const answer = await service.call(`GET /v1/jobs/get-by-id?id=${queued.id}`, { as: account });
  assert.deepEqual(answer.body, {
    ...queued,
    status: 'completed',
    progress: 1,
    result: { made: 'this' },
    startedAt: queued.createdAt,
    finishedAt: new Date(clock.now).toISOString(),
    expiresAt: new Date(clock.now + 7 * 86_400_000).toISOString(),
  });
  await runner.stop();
});

test('a job of a transaction that is rolled back does not exist', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  runner.start();
  await assert.rejects(
    db.transaction(async (tx) => {
      await enqueueJob(deps, tx, account.uuid, type, { n: 1 });
      throw new Error('no');
    }),
    /no/,
  );
  await enqueueJob(deps, db, account.uuid, type, { n: 2 });
  assert.deepEqual((await work.start(0)).params, { n: 2 });
  work.starts[0]?.finish();
  await runner.stop();
  assert.equal(work.starts.length, 1);
});

test('canceling a running job stops its work without waiting for a poll', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work, { pollMs: 3_600_000 });
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const run = await work.start(0);
  const answer = await service.call(`POST /v1/jobs/${id}/cancel`, { as: account });
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.body.status, answer.body.result, answer.body.error], ['cancelled', null, null]);
  assert.ok(answer.body.finishedAt && answer.body.expiresAt);
  await until(() => run.signal.aborted);
  await until(() => runner.running === 0);
  assert.equal((await read(id)).status, 'cancelled');
  await runner.stop();
});

test('a result that a canceled job produces too late is discarded, and the job stays canceled', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  work.deaf = true;
  const { deps, runner } = newProcess(type, work);
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const run = await work.start(0);
  await service.call(`POST /v1/jobs/${id}/cancel`, { as: account });
  run.finish({ made: 'late' });
  await until(() => work.discarded.length === 1);
  assert.deepEqual(work.discarded, [{ made: 'late' }]);
  assert.equal((await read(id)).status, 'cancelled');
  assert.equal((await read(id)).result, null);
  await runner.stop();
});

test('a queued job that is canceled never starts; a finished one cannot be canceled', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  const first = await enqueueJob(deps, db, account.uuid, type, { n: 1 });
  const second = await enqueueJob(deps, db, account.uuid, type, { n: 2 });
  assert.equal((await service.call(`POST /v1/jobs/${first.id}/cancel`, { as: account })).body.status, 'cancelled');
  runner.start();
  assert.deepEqual((await work.start(0)).params, { n: 2 });
  work.starts[0]?.finish();
  await statusIs(second.id, 'completed');
  for (const { id } of [first, second]) {
    const again = await service.call(`POST /v1/jobs/${id}/cancel`, { as: account });
    assert.deepEqual([again.status, again.body.code], [400, 'job_finished']);
  }
  await runner.stop();
  assert.equal(work.starts.length, 1);
});

test('a job whose process stopped responding is resumed by another, and the first can no longer change it', async () => {
  const [account, type, silent, other] = [await service.newAccount(), newType(), new Work(), new Work()];
  silent.deaf = true;
  const a = newProcess(type, silent, { pollMs: 3_600_000 });
  const b = newProcess(type, other);
  a.runner.start();
  const { id } = await enqueueJob(a.deps, db, account.uuid, type, {});
  const lost = await silent.start(0);
  b.runner.start();
  // Again and again, for the first is woken together with all others by what other tests queue, and renews its lease.
  await until(async () => {
    await leaseRanOut(id, 1);
    return other.starts.length > 0;
  });
  const taken = await other.start(0);
  assert.equal(taken.attempt, 2);
  lost.finish({ made: 'by the first' });
  await until(() => silent.discarded.length === 1);
  assert.equal((await read(id)).status, 'running');
  taken.finish({ made: 'by the second' });
  await statusIs(id, 'completed');
  assert.deepEqual((await read(id)).result, { made: 'by the second' });
  assert.equal((await read(id)).crashes, 1);
  assert.deepEqual(other.discarded, []);
  await Promise.all([a.runner.stop(), b.runner.stop()]);
});

test('a job that is locked while it writes delays neither the leases nor the starts of other jobs', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const [type, work] = [newType(), new Work()];
  const { deps, runner } = newProcess(type, work, { slots: 3 });
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const writing = await work.start(0);
  const leaseOf = async (job: string) => (await read(job)).due_at.getTime();
  await db.transaction(async (tx) => {
    await tx.query('select from jobs where id = $1 for share', [parseId('job', id)]);
    const before = await leaseOf(id);
    const { id: later } = await enqueueJob(deps, db, other.uuid, type, {});
    await work.start(1);
    const started = await leaseOf(later);
    await until(async () => (await leaseOf(later)) > started);
    assert.equal(await leaseOf(id), before);
    assert.ok(!writing.signal.aborted, 'the lock is not taken for a lost lease');
  });
  const released = await leaseOf(id);
  await until(async () => (await leaseOf(id)) > released);
  writing.finish();
  await statusIs(id, 'completed');
  await runner.stop();
});

test('a process that lost its lease stops the work', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const run = await work.start(0);
  await db.query('update jobs set attempt = attempt + 1 where id = $1', [parseId('job', id)]);
  await until(() => run.signal.aborted);
  await until(() => runner.running === 0);
  assert.equal((await read(id)).status, 'running');
  await db.query('delete from jobs where id = $1', [parseId('job', id)]);
  await runner.stop();
});

test('a process that cannot reach the database stops its work before another resumes it', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  let isReachable = true;
  const query = (...args: [never]) =>
    isReachable ? db.query(...args) : Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  const database = { ...db, query, connect: db.connect } as unknown as Database;
  const { deps, runner } = newProcess(type, work, { leaseSeconds: stretched(0.5) }, database);
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const run = await work.start(0);
  isReachable = false;
  await until(() => run.signal.aborted);
  isReachable = true;
  assert.equal((await work.start(1)).attempt, 2);
  work.starts[1]?.finish();
  await statusIs(id, 'completed');
  await runner.stop();
});

test('a job fails after five processes died while running it', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const claim = { limit: 1, types: [type], saturated_accounts: [], now: new Date(clock.now), lease_seconds: 30 };
  for (let crash = 1; crash <= 5; crash++) {
    const [claimed] = await claimJobs(db, claim);
    assert.equal(claimed?.attempt, crash);
    await leaseRanOut(id);
  }
  assert.deepEqual(await claimJobs(db, claim), []);
  runner.start();
  await statusIs(id, 'failed');
  assert.equal((await read(id)).error.code, 'job_crashed');
  await runner.stop();
  assert.equal(work.starts.length, 0);
});

test('stopping releases the work at once, and the next process resumes it', async () => {
  const [account, type, first, next] = [await service.newAccount(), newType(), new Work(), new Work()];
  const a = newProcess(type, first);
  a.runner.start();
  const { id } = await enqueueJob(a.deps, db, account.uuid, type, {});
  const run = await first.start(0);
  await a.runner.stop();
  assert.ok(run.signal.aborted);
  const row = await read(id);
  assert.deepEqual([row.status, row.started_at, row.crashes], ['queued', null, 0]);
  const b = newProcess(type, next);
  b.runner.start();
  (await next.start(0)).finish();
  await statusIs(id, 'completed');
  await b.runner.stop();
});

test("one account's hundred jobs do not keep another's waiting", async () => {
  const [many, few, type, work] = [await service.newAccount(), await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work, { slots: 1 });
  for (let n = 0; n < 100; n++) await enqueueJob(deps, db, many.uuid, type, { n });
  runner.start();
  await work.start(0);
  for (let n = 0; n < 2; n++) await enqueueJob(deps, db, few.uuid, type, { n });
  for (let n = 0; n < 5; n++) {
    clock.now += 1_000;
    (await work.start(n)).finish();
  }
  await work.start(5);
  assert.deepEqual(
    work.starts.slice(0, 5).map(({ accountId, params }) => [accountId === many.uuid ? 'many' : 'few', params]),
    [
      ['many', { n: 0 }],
      ['few', { n: 0 }],
      ['many', { n: 1 }],
      ['few', { n: 1 }],
      ['many', { n: 2 }],
    ],
  );
  await runner.stop();
});

test('one account leaves a slot for others, however long its jobs take, and the number of slots is never exceeded', async () => {
  const [long, short, type, work] = [await service.newAccount(), await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work, { slots: 2 });
  runner.start();
  for (let n = 0; n < 3; n++) await enqueueJob(deps, db, long.uuid, type, {});
  await work.start(0);
  for (let n = 0; n < 3; n++) await enqueueJob(deps, db, short.uuid, type, {});
  for (let n = 1; n <= 3; n++) {
    const run = await work.start(n);
    assert.equal(run.accountId, short.uuid);
    assert.equal(runner.running, 2);
    run.finish();
  }
  await until(() => runner.running === 1);
  assert.equal(work.starts.length, 4);
  await runner.stop();
});

test('with many runners, each job runs once', async () => {
  const [type, work] = [newType(), new Work()];
  const accounts = await Promise.all(Array.from({ length: 4 }, () => service.newAccount()));
  const processes = Array.from({ length: 3 }, () => newProcess(type, work, { slots: 3 }));
  const [first] = processes;
  for (const { runner } of processes) runner.start();
  for (let n = 0; n < 40; n++) {
    await enqueueJob(first?.deps as Deps, db, accounts[n % 4]?.uuid as string, type, { n });
  }
  for (let n = 0; n < 40; n++) (await work.start(n)).finish();
  await until(() => processes.every(({ runner }) => runner.running === 0));
  const done = work.starts.map(({ params }) => (params as { n: number }).n).sort((x, y) => x - y);
  assert.deepEqual(
    done,
    Array.from({ length: 40 }, (_, n) => n),
  );
  const { rows } = await db.query('select count(*) from jobs where type = $1 and status = $2', [type, 'completed']);
  assert.equal(rows[0].count, 40);
  await Promise.all(processes.map(({ runner }) => runner.stop()));
});

test('a job fails with the error of its module, or as internal_error without the cause; a lost database restarts it', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work, { slots: 4 });
  runner.start();
  const told = await enqueueJob(deps, db, account.uuid, type, {});
  (await work.start(0)).fail(new JobError('storage_full', 'There is no space left.'));
  await statusIs(told.id, 'failed');
  const answer = await service.call(`GET /v1/jobs/get-by-id?id=${told.id}`, { as: account });
  assert.deepEqual(answer.body.error, { code: 'storage_full', detail: 'There is no space left.' });
  assert.ok(answer.body.finishedAt && answer.body.expiresAt);

  const untold = await enqueueJob(deps, db, account.uuid, type, {});
  (await work.start(1)).fail(new Error('secret: hunter2'));
  await statusIs(untold.id, 'failed');
  const { error } = await read(untold.id);
  assert.equal(error.code, 'internal_error');
  assert.doesNotMatch(JSON.stringify(error), /hunter2/);

  const retried = await enqueueJob(deps, db, account.uuid, type, {});
  (await work.start(2)).fail(Object.assign(new Error('terminating connection'), { code: '57P01' }));
  await statusIs(retried.id, 'queued');
  assert.equal((await read(retried.id)).crashes, 1);
  (await work.start(3)).finish();
  await statusIs(retried.id, 'completed');
  await runner.stop();
});

test('a failure that may pass starts the job again, ever later, and fails it in the end', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  runner.start();
  const job = await enqueueJob(deps, db, account.uuid, type, {});
  const failures = [
    new JobError('storage_full', 'There is no space left.', { mayPass: true }),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
    new ApiError(429, 'overloaded', 'No connection became free in time.'),
    Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
  ];
  const waits: number[] = [];
  for (let n = 0; n < 16; n++) {
    (await work.start(n)).fail(failures[(n + 1) % 4]);
    if (n === 15) break;
    await statusIs(job.id, 'queued');
    const id = parseId('job', job.id);
    const { rows } = await db.query(
      'select extract(epoch from due_at - now())::float8 as wait from jobs where id = $1',
      [id],
    );
    await db.query('update jobs set due_at = now() where id = $1', [id]);
    waits.push(Math.ceil(rows[0].wait));
  }
  await statusIs(job.id, 'failed');
  assert.deepEqual((await read(job.id)).error.code, 'storage_full');
  assert.deepEqual(waits, [2, 4, 8, 16, ...Array.from({ length: 11 }, () => 20)]);
  await runner.stop();
});

test('an expired job is deleted with its results', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner, handlers } = newProcess(type, work);
  runner.start();
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  (await work.start(0)).finish({ made: 'a file' });
  await statusIs(id, 'completed');
  await runner.stop();
  const find = () => service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: account });
  clock.now += 7 * 86_400_000 - 1;
  await deleteExpiredJobs(deps, handlers);
  assert.equal((await find()).status, 200);
  clock.now += 1;
  assert.equal((await find()).status, 404);
  assert.deepEqual(work.discarded, []);
  await deleteExpiredJobs(deps, handlers);
  assert.deepEqual(work.discarded, [{ made: 'a file' }]);
  assert.equal(await read(id), undefined);
});

test('after kill -9 of its process, a job is resumed by another when the lease expires', async () => {
  const [account, type, work] = [await service.newAccount(), newType(), new Work()];
  const { deps, runner } = newProcess(type, work);
  const leaseSeconds = stretched(2);
  const { id } = await enqueueJob(deps, db, account.uuid, type, {});
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../test/run-jobs-forever.ts')], {
    env: { ...process.env, CONNECTION: JSON.stringify(db.connection), TYPE: type, LEASE: String(leaseSeconds) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  assert.equal(String(line), 'attempt 1\n');
  runner.start();
  // While the process lives it keeps its job, past the lease that it took at first.
  const first = (await read(id)).due_at;
  await until(async () => (await db.query('select now() > $1 as is_over', [first])).rows[0].is_over);
  assert.ok((await read(id)).due_at > first);
  assert.equal(work.starts.length, 0);
  child.kill('SIGKILL');
  const run = await work.start(0);
  assert.equal(run.attempt, 2);
  run.finish();
  await statusIs(id, 'completed');
  await runner.stop();
});
