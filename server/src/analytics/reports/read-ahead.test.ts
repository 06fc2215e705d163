import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { UserActivity } from '../../shared/user-activity.ts';
import { ReadAhead } from './read-ahead.ts';

const service = await testService();
const { db, clock } = service;
const log = { debug: assert.fail } as never;

/** The accounts whose reports a new process has computed. */
function newProcess(failing?: string, reported: unknown[] = []) {
  const computed: string[] = [];
  const read = async (accountId: string) => {
    if (accountId === failing) throw new Error('not computed');
    computed.push(accountId);
  };
  const activity = new UserActivity();
  const queries: Promise<{ rows: unknown[] }>[] = [];
  const query = (statement: never, values: never) => {
    const result = db.query(statement, values);
    queries.push(result);
    return result;
  };
  const deps = {
    db: Object.assign(Object.create(db) as typeof db, { query }),
    clock: () => clock.now,
    log: failing === undefined ? log : ({ debug: (it: unknown) => reported.push(it) } as never),
  };
  return { computed, activity, queries, readAhead: new ReadAhead(deps, read, activity) };
}

test('reports are read ahead at the start and for users who sign in, only of accounts whose reports are read', async () => {
  const [read, unread] = [await service.newAccount(), await service.newAccount()];
  const overview = 'GET /v1/analytics/overview?from=2026-01-01&to=2026-01-02';
  assert.equal((await service.call(overview, { as: read })).status, 200);
  const isRecorded = async () =>
    (await db.query('select from analytics_readers where account_id = $1', [read.uuid])).rows.length === 1;
  await until(isRecorded);

  const started = newProcess();
  started.readAhead.start();
  await until(() => started.computed.length > 0);
  assert.deepEqual(started.computed, [read.uuid]);

  const signedIn = newProcess();
  signedIn.activity.report([unread.uuid]);
  signedIn.activity.report([unread.uuid, read.uuid]);
  await until(() => signedIn.computed.length > 0);
  // Once a minute, however many sign in.
  signedIn.activity.report([read.uuid]);
  await db.query('select');
  clock.now += 60_000;
  signedIn.activity.report([read.uuid]);
  await until(() => signedIn.computed.length > 1);
  assert.deepEqual(signedIn.computed, [read.uuid, read.uuid]);
});

test('a report that fails does not stop those after it', async () => {
  const accounts = [await service.newAccount(), await service.newAccount()];
  for (const [i, { uuid }] of accounts.entries()) {
    await db.query('insert into analytics_readers (account_id, read_at) values ($1, $2)', [
      uuid,
      new Date(clock.now - i),
    ]);
  }
  const [first, second] = accounts.map(({ uuid }) => uuid);
  const reported: unknown[] = [];
  const process = newProcess(first, reported);
  process.activity.report([first ?? '', second ?? '']);
  await until(() => process.computed.length > 0);
  assert.deepEqual([process.computed, reported.length], [[second], 1]);
});

test('nothing is read ahead after the stop, nor for accounts whose reports nobody has read for a week', async () => {
  const stopped = newProcess();
  stopped.readAhead.start();
  await stopped.readAhead.stop();
  clock.now += 8 * 86_400_000;
  const later = newProcess();
  later.readAhead.start();
  // They know by then for whom they could read.
  await until(() => [stopped, later].every(({ queries }) => queries.length === 1));
  const [found, none] = await Promise.all([stopped, later].map(async ({ queries: [query] }) => (await query)?.rows));
  assert.deepEqual([found?.length !== 0, none], [true, []]);
  await turn();
  assert.deepEqual([...stopped.computed, ...later.computed], []);
});
