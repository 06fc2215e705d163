import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../../test/harness.ts';
import { PATIENCE_MS } from '../../../test/machine.ts';
import { until } from '../../../test/until.ts';
import { ApiError } from '../errors.ts';
import { GroupCommit } from '../group-commit.ts';
import { openDatabase, type Tx } from './database.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { INGEST, IngestWork, RefusedError, RequestWork, runAs, Work } from './work.ts';

const db = await testDatabase();
const work = (account = 'a') => new Work('requests', () => account);
const codeOf = (error: unknown) => (error as ApiError).code;

/** How many statements with this comment run on the server. */
async function running(mark: string): Promise<number> {
  const { rows } = await db.query(
    "select count(*)::int as n from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()",
    [`%${mark}%`],
  );
  return rows[0].n;
}

test('a statement is canceled when its request ends, whether it runs in a transaction or not', async () => {
  for (const [mark, run] of [
    ['alone', () => db.query('select pg_sleep(50) /* alone */')],
    ['inside', () => db.transaction((tx) => tx.query('select pg_sleep(50) /* inside */'))],
  ] as const) {
    const request = work();
    const outcome = runAs(request, run).then(
      () => 'done',
      (error: unknown) => codeOf(error),
    );
    await until(async () => (await running(mark)) === 1);
    request.end();
    assert.equal(await outcome, 'request_aborted');
    await until(async () => (await running(mark)) === 0);
  }
});

test('a request that has changed something waits for its next connection until its time is over', async () => {
  await db.query('create table steps (id text)');
  const own = openDatabase(db.connection, 1, () => {}, { checkoutMs: 10 });
  after(() => own.close());
  const insert = () => own.query("insert into steps values ('step')");
  const changing = new RequestWork('requests', () => 'a');
  const reading = new RequestWork('requests', () => 'b');
  await runAs(changing, insert);
  await runAs(reading, () => own.query('select'));
  const taken = await own.pool.connect();
  const second = runAs(changing, insert);
  await assert.rejects(runAs(reading, insert), { code: 'overloaded' });
  taken.release();
  await second;
  assert.equal((await db.query('select from steps')).rows.length, 2);
});

test('nothing of a request that was refused before its commit is committed, whatever it waited for', async () => {
  await db.query('create table written (id text primary key)');
  const ids = async () => (await db.query('select id from written order by id')).rows.map(({ id }) => id);
  const insert = (tx: Tx, id: string) => tx.query('insert into written values ($1)', [id]);
  const own = openDatabase(db.connection, 1, () => {}, { checkoutMs: PATIENCE_MS });
  after(() => own.close());
  const locked = await db.connect('holder');
  await locked.query("begin; insert into written values ('locked')");
  const isWaitingForLock = async () =>
    (
      await db.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into written%'",
      )
    ).rows.length > 0;
  const isWaitingForConnection = () => own.connections.waiting === 1;
  // Each waits, is refused, and then gets what it waited for.
  for (const [what, run, isWaiting, release] of [
    ['for a connection of a statement', () => insert(own, 'a'), isWaitingForConnection, undefined],
    [
      'for a connection of a transaction',
      () => own.transaction((_tx, last) => insert(last, 'b')),
      isWaitingForConnection,
      undefined,
    ],
    [
      'for a lock',
      () => db.transaction((tx) => insert(tx, 'locked')),
      isWaitingForLock,
      () => locked.query('rollback'),
    ],
  ] as const) {
    const request = new RequestWork('requests', () => 'a');
    const connection = release ? undefined : await own.pool.connect();
    const outcome = runAs<Promise<unknown>>(request, run).then(() => 'committed', codeOf);
    await until(isWaiting);
    assert.equal(request.mayHaveEffect, false, what);
    request.refuse();
    connection?.release();
    await release?.();
    assert.match(await outcome, /overloaded|request_aborted/, what);
    assert.deepEqual(await ids(), [], what);
  }
  await locked.end();

  for (const [what, write] of [
    ['statements', (tx: Tx) => insert(tx, 'c')],
    ['statements sent with the commit', (_tx: Tx, last: Tx) => insert(last, 'd')],
    [
      'an error that the work swallows',
      (tx: Tx, last: Tx) => insert(tx, 'e').then(() => insert(last, 'f').catch(() => {})),
    ],
  ] as const) {
    const request = new RequestWork('requests', () => 'a');
    const outcome = runAs(request, () =>
      db.transaction(async (tx, last) => {
        await tx.query('select 1');
        request.refuse();
        await write(tx, last);
      }),
    );
    await assert.rejects(outcome, RefusedError, what);
    assert.deepEqual(await ids(), [], what);
  }
  assert.equal((await db.query('select 1 as one')).rows[0].one, 1, 'the connections can be used');
});

test('a request may have an effect once its commit is sent, and not by what it only reads', async () => {
  await db.query('create table counted (id int primary key, n int)');
  await db.query('insert into counted values (1, 0)');
  const add = (tx: Tx) => tx.query('update counted set n = n + 1 returning n', []);
  const request = new RequestWork('requests', () => 'a');
  await runAs(request, async () => {
    await db.query('select n from counted for update');
    await db.transaction(async (tx) => {
      await tx.query('select n from counted for no key update');
      await tx.query("select 'inserted, deleted, updated'");
    });
    const rolledBack = db.transaction(async (tx) => {
      await add(tx);
      throw new Error('no');
    });
    await assert.rejects(rolledBack, /^Error: no$/);
  });
  // More than it remembers.
  for (let i = 0; i < 2_500; i++) request.beforeCommit(['select n from counted']);
  assert.equal(request.mayHaveEffect, false);
  const long = new RequestWork('requests', () => 'a');
  for (let i = 0; i < 2_500; i++) long.beforeCommit([i === 7 ? 'delete from counted' : 'select n from counted']);
  assert.equal(long.mayHaveEffect, true);
  for (const [what, write] of [
    ['a statement of its own', () => add(db)],
    ['a statement in a transaction', () => db.transaction((tx) => add(tx))],
    ['a statement sent with the commit', () => db.transaction((_tx, last) => add(last))],
  ] as const) {
    const [before] = (await db.query('select n from counted')).rows;
    const [alone, reported] = [new RequestWork('requests', () => 'a'), { isRefused: false, mayHaveEffect: false }];
    await runAs(alone, write);
    await runAs(new IngestWork([reported]), write);
    assert.deepEqual([alone.mayHaveEffect, reported.mayHaveEffect], [true, true], what);
    const late = { isRefused: true, mayHaveEffect: false };
    await assert.rejects(runAs(new IngestWork([reported, late]), write), RefusedError, what);
    assert.equal(late.mayHaveEffect, false);
    assert.equal((await db.query('select n from counted')).rows[0].n, before.n + 2, what);
  }
});

test('a statement that starts after the end of its request is canceled, too', async () => {
  const request = work();
  const outcome = runAs(request, () =>
    db.transaction(async (tx) => {
      await tx.query('select 1');
      request.end();
      // Nothing to cancel for a while.
      await sleep(350);
      await tx.query('select pg_sleep(50)');
    }),
  );
  await assert.rejects(outcome, (error) => codeOf(error) === 'request_aborted');
  await assert.rejects(
    runAs(request, () => db.query('select pg_sleep(50)')),
    (error) => codeOf(error) === 'request_aborted',
  );
});

test('what several requests wait for is canceled when all of them have ended', async () => {
  const group = new GroupCommit<string, string>(
    async (items) => {
      if (items.includes('slow')) await db.query('select pg_sleep(50) /* together */');
      else await db.query('select pg_advisory_xact_lock_shared(1) /* together */');
      return items;
    },
    { maxBatch: 10, maxConcurrent: 1, maxQueued: 10 },
  );
  const holder = await db.connect('holder');
  await holder.query('select pg_advisory_lock(1)');
  const [a, b] = [work('a'), work('b')];
  const both = [runAs(a, () => group.submit('x')), runAs(b, () => group.submit('y'))];
  await until(async () => (await running('together')) === 1);
  a.end();
  await holder.end();
  assert.deepEqual(await Promise.all(both), ['x', 'y']);
  const c = work('c');
  const slow = Promise.allSettled([b, c].map((each) => runAs(each, () => group.submit('slow'))));
  await until(async () => (await running('together')) === 1);
  const other = work('other');
  const alone = runAs(other, () => db.query('select pg_sleep(50) /* apart */')).catch(codeOf);
  await until(async () => (await running('apart')) === 1);
  b.end();
  other.end();
  assert.equal(await alone, 'request_aborted');
  assert.equal(await running('together'), 1, 'one request still waits');
  c.end();
  for (const each of await slow) assert.equal(each.status === 'rejected' && codeOf(each.reason), 'request_aborted');
});

test('no cancellation reaches a statement of another request on the same connection', async () => {
  const small = openDatabase(db.connection, 2, () => {}, { checkoutMs: PATIENCE_MS });
  after(() => small.close());
  let canceled = 0;
  const one = async (i: number) => {
    const request = work(`a${i % 3}`);
    // Some end long before their end is noticed, most at about the same time.
    const ends = i % 2 === 0;
    if (ends) setTimeout(() => request.end(), (i * 7) % 20);
    try {
      await runAs(request, () => small.query('select pg_sleep($1)', [ends ? 0.09 + ((i * 13) % 40) / 1_000 : 0.001]));
    } catch (error) {
      assert.ok(ends, `a request that did not end was refused: ${error}`);
      if (!(error instanceof ApiError && error.code === 'overloaded')) {
        assert.equal(codeOf(error), 'request_aborted');
        canceled++;
      }
    }
  };
  const lanes = Array.from({ length: 4 }, async (_, lane) => {
    for (let i = 0; i < 60; i++) await one(lane * 60 + i);
  });
  await Promise.all(lanes);
  assert.ok(canceled > 5, `${canceled} were canceled`);
});

test('ingest has connections of its own, which others cannot take', async () => {
  const pool = openDatabase(db.connection, 8, () => {}, { checkoutMs: 10_000 });
  after(() => pool.close());
  const requests = Array.from({ length: 40 }, (_, i) => work(`account ${i}`));
  const others = requests.map((each) =>
    runAs(each, () => pool.query('select pg_sleep(50) /* others */')).catch(codeOf),
  );
  await until(async () => (await running('others')) === 6);
  for (let i = 0; i < 20; i++) await runAs(INGEST, () => pool.query('select 1'));
  assert.equal(await running('others'), 6, 'ingest has waited for none of them');
  for (const each of requests) each.end();
  await Promise.all(others);
});

test('an account that takes all connections it can get leaves others theirs', async () => {
  const pool = openDatabase(db.connection, 8, () => {}, { checkoutMs: 2_000 });
  after(() => pool.close());
  const greedy = Array.from({ length: 24 }, () => work('greedy'));
  const slow = greedy.map((each) => runAs(each, () => pool.query('select pg_sleep(50) /* greedy */')).catch(codeOf));
  await until(async () => (await running('greedy')) === 3);
  for (let i = 0; i < 20; i++) await runAs(work('quiet'), () => pool.query('select 1'));
  assert.equal(await running('greedy'), 3, 'the quiet account has waited for none of them');
  assert.deepEqual((await Promise.race(slow)) as string, 'overloaded');
  for (const each of greedy) each.end();
  await Promise.all(slow);
});

test('when the server has no connection left, requests get 429 soon, ingest goes on, and the cause is known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-full-'));
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => {},
    settings: { fsync: 'off', max_connections: '14', superuser_reserved_connections: '3' },
  });
  // Who takes this for an outage waits for longer than the test may take.
  const service = openDatabase(server.connection, 8, () => {}, { reconnectMs: 3_600_000 });
  const greedy = openDatabase(server.connection, 1, () => {});
  const taken: { end(): Promise<void> }[] = [];
  after(async () => {
    await Promise.all([service.close(), greedy.close(), ...taken.map((each) => each.end())]);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await runAs(INGEST, () => Promise.all([1, 2].map(() => service.query('select pg_sleep(0.1)'))));
  const isFull = async () => {
    try {
      taken.push(await greedy.connect('other'));
      return false;
    } catch {
      return true;
    }
  };
  while (!(await isFull())) assert.ok(taken.length < 14);
  const refused = await runAs(work(), () => service.query('select 1')).catch((error: unknown) => error);
  assert.deepEqual([(refused as ApiError).status, (refused as ApiError).code], [429, 'overloaded']);
  for (let i = 0; i < 5; i++) await runAs(INGEST, () => service.query('select 1'));
  assert.deepEqual([await service.isAlive(), service.isExhausted], [true, true]);
});
