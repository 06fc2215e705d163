// Slow: starts a service with its own PostgreSQL 40 times.
/** The real process: starts, stops, crashes, commands. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';
import {
  command,
  commandJson,
  isRunning,
  launchProgram,
  newDataDir,
  postgresPid,
  ROOT,
  type ServiceProcess,
  startService,
  usedDataDir,
} from './service-process.ts';
import { until } from './until.ts';

async function get(service: ServiceProcess, path: string, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { 'x-api-key': `Bearer ${token}` };
  const response = await fetch(service.url + path, { headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The output for a user, without log lines. */
const spoken = (stdout: string) => stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

const oneLine = /^headwater: [^\n]+\n$/;

test('commands work with and without a running service, and each sees the changes of the other', async () => {
  const dataDir = await usedDataDir();
  const env = { DATA_DIR: dataDir };
  const made = await commandJson(['accounts', 'create', 'Acme Ltd'], env);
  assert.deepEqual(Object.keys(made), ['account', 'token', 'apiKey']);
  assert.equal(made.account.name, 'Acme Ltd');
  assert.match(made.token, /^hw_sk_/);
  assert.match(made.apiKey, /^hw_pk_/);
  assert.equal(postgresPid(dataDir), 0, 'the command stops the database it started');

  const service = await startService(env);
  assert.equal((await get(service, '/v1/limits', made.token)).status, 200);
  const account = ['--account', made.account.id];
  const postback = await commandJson(['tokens', 'create', ...account, '--name', 'net', '--type', 'postback'], env);
  assert.match(postback.token, /^hw_pb_/);
  const { tokens } = await commandJson(['tokens', 'list', ...account], env);
  assert.deepEqual(
    tokens.map(({ type }: { type: string }) => type),
    ['secret', 'publishable', 'postback'],
  );
  assert.doesNotMatch(JSON.stringify(tokens), /hw_(sk|pb)_/);
  const { accounts } = await commandJson(['accounts', 'list'], env);
  assert.deepEqual(
    accounts.map(({ id }: { id: string }) => id),
    [made.account.id],
  );
  assert.ok((await commandJson(['tokens', 'revoke', tokens[0].id], env)).revokedAt);
  assert.equal(
    (await get(service, '/v1/limits', made.token)).status,
    401,
    'refused from the moment the command returns',
  );
  service.kill('SIGTERM');
  await service.ended;
  const listed = await command(['tokens', 'list', ...account], env);
  assert.match(listed.stdout, /postback/);
});

test('an invalid command prints an error and fails', async () => {
  const env = { DATA_DIR: newDataDir() };
  for (const args of [
    ['nothing'],
    ['accounts', 'create'],
    ['tokens', 'create', '--type', 'x'],
    ['accounts', '--what'],
  ]) {
    const { code, stdout, stderr } = await command(args, env);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^headwater: [^\n]+\n\nheadwater: manage a Headwater service\n/);
  }
  for (const args of [
    ['tokens', 'list', '--account', 'acc_nothing'],
    ['tokens', 'revoke', 'key_nothing'],
    ['accounts', 'create', 'x'.repeat(256)],
  ]) {
    const { code, stdout, stderr } = await command(args, env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, oneLine);
  }
  assert.match((await command([], env)).stdout, /accounts create <name>/);
});

test('the service stores its compiled code in the data folder when it stops, for itself alone', async () => {
  const dataDir = await usedDataDir();
  const env = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: '' };
  for (const _start of ['first', 'second']) {
    const service = await startService(env, { root: ROOT });
    assert.equal((await get(service, '/health')).status, 200);
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
    const cache = join(dataDir, 'cache');
    assert.equal(statSync(cache).mode & 0o077, 0);
    // The modules of the bundle that `npm ci` makes.
    assert.ok(readdirSync(cache, { recursive: true }).length > 20);
  }
});

test('a second service on the same folder fails with one line and does not affect the first', async () => {
  const dataDir = await usedDataDir();
  const first = await startService({ DATA_DIR: dataDir });
  const database = postgresPid(dataDir);
  const second = await (await launchProgram('main', [], { DATA_DIR: dataDir, PORT: '0' })).ended;
  assert.deepEqual([second.code, spoken(second.stdout)], [1, []]);
  assert.match(second.stderr, oneLine);
  assert.match(second.stderr, /another service is running on DATA_DIR/);
  assert.equal((await get(first, '/health')).status, 200);
  assert.equal(postgresPid(dataDir), database);
  first.kill('SIGKILL');
});

test('after kill -9 of the service, the database or both, the next start has everything that was acknowledged', async () => {
  const dataDir = await usedDataDir();
  const env = { DATA_DIR: dataDir };
  const tokens: string[] = [];
  for (const victims of ['service', 'database', 'both']) {
    const service = await startService(env);
    const { token } = await commandJson(['accounts', 'create', victims], env);
    tokens.push(token);
    for (const each of tokens) assert.equal((await get(service, '/v1/limits', each)).status, 200);
    const database = postgresPid(dataDir);
    assert.ok(isRunning(database));
    if (victims !== 'service') process.kill(database, 'SIGKILL');
    if (victims !== 'database') service.kill('SIGKILL');
    else service.kill('SIGTERM');
    await service.ended;
    if (victims === 'service') {
      // The kernel ends it with its service, even if no other service starts.
      await until(() => !isRunning(database));
    }
  }
  const last = await startService(env);
  for (const each of tokens) assert.equal((await get(last, '/v1/limits', each)).status, 200);
  last.kill('SIGTERM');
  assert.equal((await last.ended).code, 0);
});

test('a database that dies is restarted, and every request in the meantime gets a proper response', async () => {
  const dataDir = await usedDataDir();
  const service = await startService({ DATA_DIR: dataDir });
  const { token } = await commandJson(['accounts', 'create', 'x'], { DATA_DIR: dataDir });
  for (let round = 0; round < 2; round++) {
    const database = postgresPid(dataDir);
    let done = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!done) {
        const { status, headers } = await get(service, '/v1/limits', token);
        if (status !== 200) assert.ok([429, 500].includes(status) && headers.get('retry-after'), `status ${status}`);
      }
    });
    process.kill(database, 'SIGKILL');
    await until(() => postgresPid(dataDir) > 0 && postgresPid(dataDir) !== database);
    await until(async () => (await get(service, '/health')).status === 200);
    done = true;
    await Promise.all(callers);
    assert.equal((await get(service, '/v1/limits', token)).status, 200);
  }
  service.kill('SIGTERM');
  const { code, stdout } = await service.ended;
  assert.equal(code, 0);
  assert.match(stdout, /starting it again/);
});

test('data of a newer version stops the start with one line and leaves no process', async () => {
  const env = { DATA_DIR: await usedDataDir() };
  const service = await startService(env);
  const client = new pg.Client(embeddedConnection(env.DATA_DIR));
  await client.connect();
  await client.query("insert into migrations (name, checksum) values ('999999-later.sql', '')");
  await client.end();
  service.kill('SIGTERM');
  await service.ended;
  const start = await launchProgram('main', [], { ...env, PORT: '0' });
  for (const { code, stderr } of [await start.ended, await command(['accounts', 'list'], env)]) {
    assert.equal(code, 1);
    assert.match(stderr, oneLine);
    assert.match(stderr, /DATA_DIR .* newer version of the service/);
  }
  assert.ok(!isRunning(postgresPid(env.DATA_DIR)));
});

/** Blocks every request that looks up its key until the returned function is called. */
async function holdUp(dataDir: string): Promise<() => Promise<void>> {
  const client = new pg.Client(embeddedConnection(dataDir));
  client.on('error', () => {});
  await client.connect();
  await client.query('begin; lock table api_keys in access exclusive mode');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

for (const from of [undefined, 'npm'] as const) {
  test(`SIGTERM (${from ?? 'node'}): requests in progress are answered, then the service exits with 0`, async () => {
    const dataDir = await usedDataDir();
    const service = await startService({ DATA_DIR: dataDir }, from);
    const { token } = await commandJson(['accounts', 'create', 'x'], { DATA_DIR: dataDir });
    const release = await holdUp(dataDir);
    const underWay = get(service, '/v1/limits', token);
    await untilWaiting(dataDir, 1);
    service.kill('SIGTERM');
    await until(() => isRefused(service.url));
    await release();
    assert.equal((await underWay).status, 200);
    assert.equal((await service.ended).code, 0);
    assert.equal(postgresPid(dataDir), 0);
  });
}

test('SIGTERM: a request that does not end is aborted, and the service exits with 0', async () => {
  const dataDir = await usedDataDir();
  const service = await startService({ DATA_DIR: dataDir });
  const { token } = await commandJson(['accounts', 'create', 'x'], { DATA_DIR: dataDir });
  const start = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const underWay = fetch(`${service.url}/v1/files/upload`, {
    method: 'POST',
    headers: { 'x-api-key': `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: new ReadableStream({ start: (sent) => sent.enqueue(Buffer.from(start)) }),
    duplex: 'half',
  });
  const uploads = join(dataDir, 'files/uploads');
  await until(() => existsSync(uploads) && readdirSync(uploads).length > 0);
  service.kill('SIGTERM');
  await assert.rejects(underWay);
  assert.equal((await service.ended).code, 0);
});

test('Ctrl-C, which arrives from the terminal and from npm, counts as one signal', async () => {
  const dataDir = await usedDataDir();
  const service = await startService({ DATA_DIR: dataDir });
  service.kill('SIGINT');
  service.kill('SIGINT');
  assert.equal((await service.ended).code, 0);
  assert.equal(postgresPid(dataDir), 0);
});

test('SIGTERM at any moment of the start exits with 0 and leaves no database running', async () => {
  const dataDir = newDataDir();
  const moments: (() => boolean)[] = [
    () => postgresPid(dataDir) > 0,
    () => true,
    ...[50, 150, 300, 500].map((ms) => {
      const at = performance.now() + ms;
      return () => performance.now() > at;
    }),
  ];
  for (const moment of moments) {
    const child = await launchProgram('main', [], { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' });
    await until(moment);
    child.kill('SIGTERM');
    const { code, signal, stderr } = await child.ended;
    // Before the program runs, the signal has its default effect.
    if (signal === null) assert.deepEqual([code, stderr], [0, '']);
    assert.ok(!isRunning(postgresPid(dataDir)));
  }
  const service = await startService({ DATA_DIR: dataDir });
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});

test('an invalid setting stops the start with one line that names it', async (context) => {
  const file = join(newDataDir(), 'file');
  writeFileSync(file, '');
  const taken = net.createServer().listen(0, '127.0.0.1');
  context.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as net.AddressInfo;
  const wrong: [string, string][] = [
    ['PORT', 'http'],
    ['PORT', String(port)],
    ['HOST', 'no such host'],
    ['DATA_DIR', file],
    ['DATABASE_URL', 'postgres://nobody:hunter2@no-such-host.invalid/x'],
    ['LOG_LEVEL', 'loud'],
  ];
  for (const [name, value] of wrong) {
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: newDataDir(), [name]: value };
    const { code, stdout, stderr } = await (await launchProgram('main', [], env)).ended;
    assert.deepEqual([code, spoken(stdout)], [1, []], `${name}=${value}: ${stderr}`);
    assert.match(stderr, oneLine, `${name}=${value}`);
    assert.ok(stderr.includes(name), stderr);
    assert.doesNotMatch(stderr, /hunter2|:pw@/);
  }
});

async function untilWaiting(dataDir: string, count: number): Promise<void> {
  const client = new pg.Client(embeddedConnection(dataDir));
  await client.connect();
  const waiting = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`;
  await until(async () => (await client.query(waiting)).rows[0].n >= count);
  await client.end();
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}
