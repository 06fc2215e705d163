import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/harness.ts';
import type { ApiError } from '../errors.ts';
import { toApiError } from '../http/problem.ts';
import { isConnectionError, openDatabase, type Tx } from './database.ts';

const db = await testDatabase();
await db.query('create table counters (id int primary key, n int not null)');
await db.query('insert into counters values (1, 0), (2, 0)');

const read = async (id: number) => (await db.query('select n from counters where id = $1', [id])).rows[0].n;
const add = (tx: Tx, id: number) => tx.query('update counters set n = n + 1 where id = $1', [id]);
const pidOf = async (tx: Tx) => (await tx.query('select pg_backend_pid() as pid')).rows[0].pid;

test('a transaction is all or nothing', async () => {
  const before = await read(1);
  await assert.rejects(
    db.transaction(async (tx) => {
      await add(tx, 1);
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  assert.equal(await read(1), before);
});

test('transactions that lock each other out are tried again until both are done', async () => {
  const [one, two] = [await read(1), await read(2)];
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let attempts = 0;
  const across = (mine: number, other: number) =>
    db.transaction(async (tx) => {
      attempts++;
      await add(tx, mine);
      locked[mine - 1]?.resolve();
      await locked[other - 1]?.promise;
      await add(tx, other);
    });
  await Promise.all([across(1, 2), across(2, 1)]);
  assert.ok(attempts >= 3, 'one at least had to begin again');
  assert.deepEqual([await read(1), await read(2)], [one + 2, two + 2]);
});

test('a connection that is lost before the commit costs a second try, not the request', async () => {
  const before = await read(1);
  let attempts = 0;
  const result = await db.transaction(async (tx) => {
    await add(tx, 1);
    if (++attempts === 1) await db.query('select pg_terminate_backend($1)', [await pidOf(tx)]);
    await add(tx, 1);
    return 'done';
  });
  assert.deepEqual([result, attempts], ['done', 2]);
  assert.equal(await read(1), before + 2);
});

test('a connection that is lost at the commit is an error: nobody knows whether it was committed', async () => {
  await db.query('create table fatal (id int)');
  await db.query(`create function die() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(9); return null; end $$`);
  await db.query(`create constraint trigger at_commit after insert on fatal
    deferrable initially deferred for each row execute function die()`);
  let attempts = 0;
  const lost = db.transaction(async (tx) => {
    attempts++;
    await tx.query('insert into fatal values (1)');
  });
  await assert.rejects(lost, (error) => isConnectionError(error));
  assert.equal(attempts, 1);
});

test('a failed statement that was swallowed is no success', async () => {
  const before = await read(1);
  const swallowed = db.transaction(async (tx) => {
    await add(tx, 1);
    await tx.query('select 1 / 0').catch(() => {});
  });
  await assert.rejects(swallowed, /rolled back at its commit/);
  assert.equal(await read(1), before);
});

test('more requests than connections: those that wait too long are refused with 429 and Retry-After', async () => {
  const small = openDatabase({ ...db.connection, connectionTimeoutMillis: 50 }, 1, () => {});
  after(() => small.close());
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = small.transaction(async () => {
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  for (const ask of [() => small.query('select 1'), () => small.transaction(async () => {})]) {
    await assert.rejects(ask(), (error: ApiError) => {
      assert.deepEqual([error.status, error.code, error.headers], [429, 'overloaded', { 'retry-after': '1' }]);
      return true;
    });
  }
  held.resolve();
  await holder;
  await small.query('select 1');
});

test('a database that went away in the middle is a 500 with Retry-After that names no cause', async () => {
  await assert.rejects(db.query('select pg_terminate_backend(pg_backend_pid())'), (thrown) => {
    const error = toApiError(thrown);
    assert.deepEqual([error.status, error.headers], [500, { 'retry-after': '1' }]);
    assert.doesNotMatch(error.message, /terminat|connection/i);
    return true;
  });
  await db.query('select 1');
});

test('a dead database is told of by isAlive within a second', async () => {
  assert.equal(await db.isAlive(), true);
  const dead = openDatabase({ host: '/nowhere' }, 1, () => {});
  assert.deepEqual(await Promise.all([dead.isAlive(), dead.isAlive()]), [false, false]);
  await dead.close();
});

test('int8 is a number, and a timestamp keeps its milliseconds', async () => {
  const { rows } = await db.query("select 9007199254740991 as big, '2026-11-20T08:00:00.123Z'::timestamptz(3) as at");
  assert.equal(rows[0].big, Number.MAX_SAFE_INTEGER);
  assert.equal(rows[0].at.toISOString(), '2026-11-20T08:00:00.123Z');
});

test('outside of the pool a connection bears its name, whatever the URL says', async () => {
  const { host, port, user, database } = db.connection;
  const url = `postgres://${user}@/${database}?host=${host}&port=${port}&application_name=mine`;
  const named = openDatabase({ connectionString: url }, 1, () => {});
  const client = await named.connect('headwater-test');
  const { rows } = await client.query("select current_setting('application_name') as name");
  assert.deepEqual(rows, [{ name: 'headwater-test' }]);
  await client.end();
  await named.close();
});
