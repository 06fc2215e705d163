// Slow: three cells with workers of their own, two of them migrated from nothing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { furnish } from '../../test/furnished-account.ts';
import { type Account, newCellUrl, testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { createTestUser } from '../../test/users.ts';
import { createAccount, KeyVerifier, listAccountKeys, revokeAccountKey } from '../accounts/index.ts';
import type { Deps } from '../shared/deps.ts';
import { parseId, publicId } from '../shared/ids.ts';
import { createLog } from '../shared/log.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { Listener } from '../shared/postgres/listener.ts';
import { CELL_COMMANDS } from './cli-commands.ts';
import { addCell, setCellOpen } from './commands.ts';
import { connectionOf } from './open-cell.ts';

const service = await testService({}, { apart: false });
const { control, call } = service;

/** The URLs of two cells: a database of its own, and a schema in the control database's. */
const urls = { east: await newCellUrl(), west: '' };

async function accountIn(cell: string): Promise<Account> {
  const { account, token, apiKey } = await createAccount(control, `In ${cell}`, service.clock.now, cell);
  return { id: account.id, uuid: parseId('acc', account.id) ?? '', token, apiKey };
}

before(async () => {
  urls.west = `${service.databaseUrl}&schema=west`;
  for (const name of ['east', 'west'] as const) await addCell(control, service.secret, name, urls[name], Date.now());
  for (const worker of service.workers) worker.start();
});

const rowsOf = async (cell: string, table: string, account: Account) => {
  const db = cell === 'main' ? control : (await service.cells.open(cell)).db;
  const { rows } = await db.query(`select count(*)::int as n from ${table} where account_id = $1`, [account.uuid]);
  return rows[0].n;
};

test('an account has its data in its own cell and nowhere else, whatever it does', async () => {
  const names = ['main', 'east', 'west'];
  const all = await Promise.all(
    names.map(async (name) => {
      const account = await accountIn(name);
      return { name, account, furnished: await furnish({ ...service, newAccount: async () => account }, `of-${name}`) };
    }),
  );
  for (const { name, account } of all) {
    for (const table of ['collections', 'entries', 'visits', 'events', 'leads', 'conversions', 'assets', 'jobs']) {
      for (const cell of names) {
        const count = await rowsOf(cell, table, account);
        assert.equal(count > 0, cell === name, `${table} of an account in ${name} has ${count} rows in ${cell}`);
      }
    }
  }
  for (const { account, furnished } of all) {
    for (const other of all) {
      const { status } = await call(`GET /v1/cms/collections/${other.furnished.collectionId}`, { as: account });
      assert.equal(status, other.account === account ? 200 : 404);
    }
    // Files are found by their URL alone.
    const { body: file } = await call(`GET /v1/files/${furnished.assetId}`, { as: account });
    assert.equal((await call(`GET ${new URL(file.url).pathname}`)).status, 200);
  }
});

test('the audit log shows what the cell and the control database recorded, in order and in pages', async () => {
  const account = await accountIn('east');
  const by = await createTestUser(service, account, 'owner', 'eve');
  for (let i = 0; i < 4; i++) {
    service.clock.now += 1_000;
    if (i % 2 === 0) await call('PATCH /v1/account', { by, body: { name: `Name ${i}` } });
    else await call('PATCH /v1/tracking/settings', { by, body: { retentionDays: 30 + i } });
  }
  const actions: string[] = [];
  for (let token = ''; ; ) {
    const { body } = await call(`GET /v1/audit?pageSize=3&pageToken=${token}`, { by });
    actions.push(
      ...body.changes.map(({ action, actor }: Record<string, { name: string }>) => `${action} ${actor?.name}`),
    );
    token = body.nextPageToken;
    if (token === null) break;
  }
  const pair = ['tracking_settings.changed eve', 'account.changed eve'];
  assert.deepEqual(actions, [...pair, ...pair]);
});

test("jobs, reports and exports run in the account's cell", async () => {
  const account = await accountIn('west');
  for (let i = 0; i < 3; i++) {
    const { status } = await call('POST /v1/events', { body: { api_key: account.apiKey, event: `step ${i}` } });
    assert.equal(status, 200);
  }
  const started = await call('POST /v1/analytics/export', { as: account, body: { dataset: 'events', format: 'csv' } });
  assert.equal(started.status, 200);
  let job = started.body;
  await until(async () => {
    job = (await call(`GET /v1/jobs/get-by-id?id=${job.id}`, { as: account })).body;
    return job.status === 'completed';
  });
  assert.equal(job.result.rows, 3);
  const file = new URL(job.result.url);
  assert.match((await call(`GET ${file.pathname}${file.search}`)).body, /step 2/);
  const [from, to] = [0, 1].map((days) => new Date(service.clock.now + days * 86_400_000).toISOString().slice(0, 10));
  await until(async () => {
    const { body } = await call(`GET /v1/analytics/breakdown?by=event&from=${from}&to=${to}`, { as: account });
    return JSON.stringify(body).includes('step 2');
  });
});

test('new accounts go to the emptiest open cell', async () => {
  for (const name of ['main', 'west']) await setCellOpen(control, name, false);
  const { account } = await createAccount(control, 'Anywhere');
  const { rows } = await control.query('select cell from accounts where id = $1', [parseId('acc', account.id)]);
  assert.equal(rows[0].cell, 'east');
  for (const name of ['main', 'west']) await setCellOpen(control, name, true);
});

test('commands about cells print the size and load of each, and which accounts are on their way', async () => {
  const deps = { control, secret: service.secret, clock: () => service.clock.now } as Deps;
  const run = async (command: string, args: string[]) => {
    const printed = await CELL_COMMANDS[command]?.(deps, args, { cancel: false, onProgress: () => {} });
    return printed as { cells: Record<string, unknown>[]; moves?: unknown[] };
  };
  for (const printed of [await run('cells list', []), await run('cells add', ['east', urls.east])]) {
    assert.deepEqual(printed.cells.map(({ name }) => name).sort(), ['east', 'main', 'west']);
    for (const { status, bytes, recordedPerSecond, queued, lagSeconds } of printed.cells) {
      assert.equal(status, 'ok');
      for (const measure of [bytes, recordedPerSecond, queued, lagSeconds]) assert.equal(typeof measure, 'number');
      assert.ok(Number(bytes) > 0);
    }
  }
  assert.deepEqual((await run('cells status', [])).moves, []);
});

test('a transaction of a plain server begins without a lock for Citus', async () => {
  for (const db of [control, (await service.cells.open('west')).db]) assert.equal(db.placementLock, undefined);
});

test('a database of another installation or another cell is refused', async () => {
  const other = await testService({}, { apart: false });
  await assert.rejects(addCell(other.control, other.secret, 'east', urls.east, Date.now()), /another installation/);
  await assert.rejects(addCell(control, service.secret, 'north', urls.east, Date.now()), /is the cell east/);
  await assert.rejects(addCell(control, service.secret, 'main', urls.east, Date.now()), /name/);
  assert.throws(() => connectionOf('x', 'postgres:///d?schema=public'), /schema/);
  assert.throws(() => connectionOf('x', 'https://shop.example'), /postgres/);
});

test('nobody can have the directory queried for each request about accounts that do not exist', async (context) => {
  const { mock } = context.mock.method(control, 'query');
  const looked = () =>
    mock.calls.filter(({ arguments: [statement] }) => /find_of_account/.test(JSON.stringify(statement)));
  const account = await accountIn('east');
  mock.resetCalls();
  for (const accountId of [account.uuid, randomUUID(), randomUUID()]) {
    const { status } = await call('POST /internal/reports', { body: { accountId, sealed: 'AAAA' } });
    assert.equal(status, 404);
  }
  assert.equal(looked().length, 0, 'the sender is known by what is sealed');
  const path = `/downloads/imports/${publicId('acc', randomUUID())}/x.csv`;
  for (let i = 0; i < 5; i++) await call(`GET ${path}`);
  assert.equal(looked().length, 1);
});

test('while a cell is unavailable its accounts get 500 with Retry-After, and others nothing of it', async () => {
  const gone = await accountIn('main');
  await control.query(
    `insert into cells (name, url, created_at)
     select 'gone', url, now() from cells where name = 'east'`,
  );
  await control.query("update accounts set cell = 'gone' where id = $1", [gone.uuid]);
  const other = await accountIn('east');
  for (let i = 0; i < 2; i++) {
    const { status, headers, body } = await call('GET /v1/cms/collections', { as: gone });
    assert.deepEqual([status, body.code, headers['retry-after']], [500, 'cell_unavailable', '1']);
    const event = await call('POST /v1/events', { body: { api_key: gone.apiKey, event: 'x' } });
    assert.deepEqual([event.status, event.body.code], [500, 'cell_unavailable']);
    assert.equal((await call('GET /v1/cms/collections', { as: other })).status, 200);
  }
});

test('while the control database is unavailable, known keys of other cells work for a limited time, and no others', async () => {
  const [here, there] = [await accountIn('main'), await accountIn('east')];
  const [revoked, missed] = [await accountIn('east'), await accountIn('east')];
  let isAway = false;
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const flaky: ControlDatabase = {
    ...control,
    query: ((...args: Parameters<typeof control.query>) =>
      isAway ? Promise.reject(away) : control.query(...args)) as typeof control.query,
    isAlive: async () => !isAway,
  };
  const clock = { now: Date.now() };
  const listener = new Listener(control, createLog('silent'), 'a test');
  const keys = new KeyVerifier(flaky, listener, createLog('silent'), () => clock.now);
  await listener.start();
  for (const { token } of [here, there, revoked, missed]) assert.ok(await keys.verify(token));
  const [key] = await listAccountKeys(control, revoked.id);
  await revokeAccountKey(control, key?.id ?? '');
  await until(() => keys.cached(revoked.token) === undefined);
  // A key that is revoked while the process does not listen.
  const [other] = await listAccountKeys(control, missed.id);
  await control.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'a test'");
  await until(() => !listener.isLive);
  await revokeAccountKey(control, other?.id ?? '');
  await until(() => listener.isLive);
  // Its process is cut off from the control database.
  await listener.close();
  isAway = true;
  await assert.rejects(keys.verify(here.token), /ECONNREFUSED/);
  await assert.rejects(keys.verify(revoked.token), /ECONNREFUSED/, 'it was revoked before');
  await until(
    () =>
      keys.verify(missed.token).then(
        () => false,
        () => true,
      ),
    5_000,
  );
  for (let i = 0; i < 10; i++) assert.equal((await keys.verify(there.token))?.accountId, there.uuid);
  clock.now += 300_001;
  await assert.rejects(keys.verify(there.token), /ECONNREFUSED/);
});
