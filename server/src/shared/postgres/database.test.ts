import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { testDatabase } from '../../../test/harness.ts';
import { PATIENCE_MS, stretched } from '../../../test/machine.ts';
import { until } from '../../../test/until.ts';
import type { ApiError } from '../errors.ts';
import { toApiError } from '../http/problem.ts';
import { openDatabase, type Tx } from './database.ts';
import { isConnectionError, SerializationError } from './database-errors.ts';
import { runAs, Work } from './work.ts';

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

test('a statement of its own that is deadlocked runs again', async () => {
  const before = [await read(1), await read(2)];
  const isWaiting = async () =>
    (await db.query("select from pg_stat_activity where query like 'update%in (1, 2)' and wait_event_type = 'Lock'"))
      .rows.length > 0;
  let rounds = 0;
  let attempts: number;
  do {
    rounds++;
    attempts = 0;
    const holds = Promise.withResolvers<void>();
    const other = db.transaction(async (tx) => {
      attempts++;
      await add(tx, 2);
      holds.resolve();
      if (attempts === 1) await until(isWaiting);
      await add(tx, 1);
    });
    await holds.promise;
    await db.query('update counters set n = n + 1 where id in (1, 2)');
    await other;
    // It waited first, so it is the one that PostgreSQL ends, unless a second passes before the other one waits as well.
  } while (attempts > 1);
  assert.deepEqual([await read(1), await read(2)], [(before[0] ?? 0) + 2 * rounds, (before[1] ?? 0) + 2 * rounds]);
});

test('deadlocked transactions are retried until both commit', async () => {
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
  assert.ok(attempts >= 3, 'at least one was retried');
  assert.deepEqual([await read(1), await read(2)], [one + 2, two + 2]);
});

test('a connection lost before the commit is retried without an error', async () => {
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

test('a connection lost at the commit is an error, since the outcome is unknown', async () => {
  await db.query('create table fatal (id int)');
  await db.query(`create function die() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(9); return null; end $$`);
  await db.query(`create constraint trigger at_commit after insert on fatal
    deferrable initially deferred for each row execute function die()`);
  for (const isLast of [false, true]) {
    let attempts = 0;
    const lost = db.transaction(async (tx, last) => {
      attempts++;
      await (isLast ? last : tx).query('insert into fatal values ($1)', [1]);
    });
    await assert.rejects(lost, (error) => isConnectionError(error));
    assert.equal(attempts, 1);
  }
});

test('statements of one turn are executed in order and have their own results; those on `last` are committed with them', async () => {
  const before = await read(1);
  const named = { name: 'read_counter', text: 'select n from counters where id = $1', values: [1] };
  for (let i = 1; i <= 2; i++) {
    const [one, added, found, empty] = await db.transaction(async (tx, last) => {
      await tx.query(named);
      const results = await Promise.all([
        tx.query('select 1 as one', []),
        tx.query('update counters set n = n + 1 where id = $1 returning n', [1]),
        last.query(named),
        last.query('select n from counters where id = $1', [-1]),
      ]);
      assert.equal(await read(1), before + i);
      assert.throws(() => tx.query('select 1'), /has ended/);
      return results;
    });
    assert.deepEqual(one.rows, [{ one: 1 }]);
    assert.deepEqual([added.rows, found.rows, empty.rows], [[{ n: before + i }], [{ n: before + i }], []]);
  }
});

test('if a statement fails, those of its turn fail and nothing is committed, and the connection can be used again', async () => {
  const one = openDatabase(db.connection, 1, () => {});
  after(() => one.close());
  const before = await read(1);
  const first = { name: 'first', text: 'update counters set n = n + 1 where id = $1', values: [1] };
  const good = { name: 'good', text: 'select n from counters where id = $1', values: [1] };
  const faults: [pg.QueryConfig, RegExp][] = [
    [{ name: 'bad_value', text: 'select $1::int / $2::int', values: [1, 0] }, /division by zero/],
    [{ name: 'bad_input', text: 'select $1::int', values: ['x'] }, /invalid input syntax/],
    [{ name: 'bad_text', text: 'select $1 from nowhere', values: ['x'] }, /does not exist/],
    [{ name: 'first', text: 'select $1', values: [1] }, /must be unique/],
    [
      { name: 'unsendable', text: 'select $1', values: [{ toPostgres: () => assert.fail('unsendable') }] },
      /unsendable/,
    ],
  ];
  for (const [bad, message] of faults) {
    // The second time, the server knows what it has parsed.
    for (let i = 0; i < 2; i++) {
      const failed = one.transaction(async (tx, last) => {
        const sent = [first, bad, good].map((each) => (each === good ? last : tx).query(each));
        const settled = await Promise.allSettled(sent);
        for (const each of settled) assert.match(String((each as PromiseRejectedResult).reason), message);
        await Promise.all(sent);
      });
      await assert.rejects(failed, message);
    }
  }
  const rows = await one.transaction(async (tx) => (await Promise.all([tx.query(good), tx.query(good)]))[1].rows);
  assert.deepEqual(rows, [{ n: before }]);
  assert.equal(await read(1), before);
});

test('a transaction whose failed statement was swallowed is an error', async () => {
  const before = await read(1);
  const swallowed = db.transaction(async (tx) => {
    await add(tx, 1);
    await tx.query('select 1 / 0').catch(() => {});
  });
  await assert.rejects(swallowed, /rolled back at its commit/);
  assert.equal(await read(1), before);
});

test('nothing that goes on after its transaction has ended reaches the connection', async () => {
  const one = openDatabase(db.connection, 1, () => {});
  after(() => one.close());
  const before = await read(1);
  const late = async (tx: Tx, ended: Promise<unknown>, values?: unknown[]) => {
    await ended;
    await tx.query('update counters set n = n + 1', values);
  };
  for (const values of [[], undefined]) {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const running: Promise<void>[] = [];
    const failing = one.transaction((tx) => {
      running.push(late(tx, ended, values));
      return Promise.all([tx.query('select 1 / 0', []), ...running]);
    });
    await assert.rejects(failing, /division by zero/);
    await one.transaction(async (tx) => void running.push(late(tx, ended, values)));
    end();
    for (const each of running) await assert.rejects(each, /has ended/);
    const { rows } = await one.query('select pg_current_xact_id_if_assigned() is null as is_idle');
    assert.deepEqual(rows, [{ is_idle: true }]);
  }
  assert.equal(await read(1), before);
});

test('a request that waits too long for a connection is 429 with Retry-After', async () => {
  const small = openDatabase(db.connection, 1, () => {}, { checkoutMs: 50 });
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

test('statements that a request executes side by side wait for each other, however long, and leave connections to other requests', async () => {
  const checkoutMs = stretched(400);
  const small = openDatabase(db.connection, 2, () => {}, { checkoutMs });
  after(() => small.close());
  const request = new Work('requests', () => 'a');
  const running = Array.from({ length: 10 }, () =>
    runAs(request, () => small.query('select pg_sleep($1)', [checkoutMs / 4_000])),
  );
  await runAs(new Work('requests', () => 'b'), () => small.query('select 1'));
  await Promise.all(running);
});

test('a request may wait longer for a connection than one may take to open', async () => {
  const connectMs = stretched(2_000);
  const small = openDatabase(db.connection, 1, () => {}, { connectMs, checkoutMs: PATIENCE_MS, reconnectMs: 100 });
  await Promise.all([small.query('select pg_sleep($1)', [(1.1 * connectMs) / 1_000]), small.query('select 1')]);
  await small.close();
});

test('a command waits for a database that is away, and fails with its error', () => {
  const command = `
    import { openDatabase } from '${new URL('./database.ts', import.meta.url)}';
    const db = openDatabase({ host: '127.0.0.1', port: 9 }, 1, () => {}, { reconnectMs: 200 });
    await db.query('select 1').catch(({ code }) => console.log(code));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', command], { encoding: 'utf8' });
  assert.equal(output, 'ECONNREFUSED\n');
});

test('a request that waits too long for a lock is 429 with Retry-After', async () => {
  const holder = await db.connect('holder');
  await holder.query('begin');
  await add(holder, 1);
  const error = await db.transaction((tx) => add(tx, 1)).catch((thrown: unknown) => toApiError(thrown));
  await holder.end();
  assert.deepEqual(
    [(error as ApiError).status, (error as ApiError).code, (error as ApiError).headers['retry-after']],
    [429, 'overloaded', '1'],
  );
});

test('a transaction that loses against concurrent ones each time is rolled back and 429', async () => {
  const before = await read(1);
  let attempts = 0;
  const lost = db.transaction(async (tx) => {
    attempts++;
    await add(tx, 1);
    throw new SerializationError('another one was faster');
  });
  const error = toApiError(await lost.catch((thrown: unknown) => thrown));
  assert.deepEqual([error.status, error.code, error.headers['retry-after'], attempts], [429, 'overloaded', '1', 5]);
  assert.equal(await read(1), before);
});

test('a database lost during a query is 500 with Retry-After and does not reveal the cause', async () => {
  await assert.rejects(db.query('select pg_terminate_backend(pg_backend_pid())'), (thrown) => {
    const error = toApiError(thrown);
    assert.deepEqual([error.status, error.headers], [500, { 'retry-after': '1' }]);
    assert.doesNotMatch(error.message, /terminat|connection/i);
    return true;
  });
  await db.query('select 1');
});

test('a database that responds to others is alive although it accepts no new connection', async () => {
  const busy = await testDatabase();
  const { rows } = await busy.query('select current_database() as name');
  await busy.query(`alter database ${rows[0].name} connection limit 0`);
  assert.deepEqual([await busy.isAlive(), busy.isExhausted], [true, false]);
  await until(async () => (await busy.isAlive()) && busy.isExhausted);
  await busy.query('select 1');
  assert.equal(await busy.isAlive(), true);
});

test('a database that comes back and accepts no new connection is overloaded, and statements in use are not ended', async () => {
  const full = await testDatabase();
  const { host, port } = full.connection as { host: string; port?: number };
  const { rows } = await full.query('select current_database() as name');
  const folder = mkdtempSync(join(tmpdir(), 'headwater-socket-'));
  const away = openDatabase({ ...full.connection, host: folder, port: 5432 }, 2, () => {});
  after(async () => {
    await away.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const waiting = away.query('select 1').catch((error: ApiError) => error);
  await sleep(100);
  await full.query(`alter database ${rows[0].name} connection limit 0`);
  symlinkSync(join(host, `.s.PGSQL.${port ?? 5432}`), join(folder, '.s.PGSQL.5432'));
  assert.equal(((await waiting) as ApiError).status, 429);
  // For longer than it takes to suspect that a connection hangs.
  await full.query('select pg_sleep(6)');
});

test('isAlive reports a dead database within a second', async () => {
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

test('times are read like the driver does, in UTC or not', async () => {
  const texts = [
    '2026-11-20T08:00:01.12Z',
    '2024-02-29T23:59:59Z',
    '1000-01-01Z',
    '0099-12-31T23:59:59.999Z',
    '-infinity',
  ];
  for (const text of [...texts, '12026-11-20Z', '0044-03-15Z BC', '2026-11-20T08:00:01.123456Z', 'infinity']) {
    for (const zone of ['UTC', 'Asia/Kolkata', 'Europe/London']) {
      const read = (client: Tx) => client.query('select $1::timestamptz as at', [text]);
      const expected = new pg.Client(db.connection);
      await expected.connect();
      await expected.query(`set timezone = '${zone}'`);
      const { at } = (await read(expected)).rows[0];
      await expected.end();
      const actual = await db.transaction(async (tx) => {
        await tx.query(`set local timezone = '${zone}'`);
        return (await read(tx)).rows[0].at;
      });
      assert.deepEqual(actual, at, `${text} in ${zone}`);
    }
  }
});

test('a connection outside the pool has its own application name, whatever the URL says', async () => {
  const { host, port, user, database } = db.connection;
  const url = `postgres://${user}@/${database}?host=${host}&port=${port}&application_name=mine`;
  const named = openDatabase({ connectionString: url }, 1, () => {});
  const client = await named.connect('headwater-test');
  const { rows } = await client.query("select current_setting('application_name') as name");
  assert.deepEqual(rows, [{ name: 'headwater-test' }]);
  await client.end();
  await named.close();
});

test('a database that hangs fails queries, and is used again once it responds', async () => {
  const proxy = await startProxy();
  const hung = openDatabase({ ...db.connection, host: proxy.folder, port: 5432 }, 2, () => {});
  after(() => hung.close());
  await hung.query('select 1');
  proxy.freeze();
  await assert.rejects(hung.query('select 1'), (error) => isConnectionError(error));
  proxy.thaw();
  assert.equal((await hung.query('select 1 as n')).rows[0].n, 1);
});

/** A socket in front of PostgreSQL that can stop forwarding, like a stopped server or a broken network. */
async function startProxy() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-proxy-'));
  const { host, port } = db.connection as { host: string; port?: number };
  const target = join(host, `.s.PGSQL.${port ?? 5432}`);
  const sockets = new Set<net.Socket>();
  let isFrozen = false;
  const server = net.createServer((socket) => {
    const upstream = net.connect(target);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => {}).on('close', () => sockets.delete(each));
      if (isFrozen) each.pause();
    }
    socket.on('data', (bytes) => isFrozen || upstream.write(bytes));
    upstream.on('data', (bytes) => isFrozen || socket.write(bytes));
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
  };
}
