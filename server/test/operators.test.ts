/** The routes for operators of the service, who see the backups of all accounts, and the cells. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeBackup } from '../src/backup/write-backup.ts';
import { addCell } from '../src/cells/commands.ts';
import { setOperatorByCommand } from '../src/users/index.ts';
import { testDatabaseUrl, testService } from './harness.ts';
import { until } from './until.ts';
import { createTestUser } from './users.ts';

const location = mkdtempSync(join(tmpdir(), 'headwater-operators-'));
after(() => rmSync(location, { recursive: true, force: true }));
const service = await testService({ BACKUP_URL: location }, { apart: false });
const account = await service.newAccount();
const operator = await createTestUser(service, account, 'viewer');
await setOperatorByCommand(service.control, operator.email, true);
const result = await writeBackup({
  cells: [{ cell: 'main', connection: service.db.connection }],
  storageUrl: undefined,
  dataDir: service.dataDir,
  target: location,
  recipient: undefined,
  secret: service.secret,
  keep: undefined,
  unlessYoungerThanMs: undefined,
});
assert.ok(result);
const path = `/operator/backups/${result.name}`;
const ROUTES = ['GET /operator/backups', `POST ${path}/check`, `GET ${path}/archive`];

test('only operators see backups, whatever their role, and no API key does', async () => {
  const owner = await createTestUser(service, account, 'owner');
  for (const route of ROUTES) {
    const refused = await service.call(route, { by: owner });
    assert.deepEqual([refused.status, refused.body.code], [400, 'operator_required'], route);
    const byKey = await service.call(route, { as: account, headers: { origin: 'http://headwater.test' } });
    assert.deepEqual([byKey.status, byKey.body.code], [401, 'session_required'], route);
    const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const forged = await service.call(route, { by: operator, headers: site });
    assert.deepEqual([forged.status, forged.body.code], [401, 'origin_not_allowed'], route);
  }
  assert.equal((await service.call('GET /auth/session', { by: operator })).body.user.isOperator, true);
  assert.equal((await service.call('GET /auth/session', { by: owner })).body.user.isOperator, false);
});

async function listed() {
  const { status, body } = await service.call('GET /operator/backups', { by: operator });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('a backup is listed, downloaded and checked; damage is found', async () => {
  const { backups, ...rest } = await listed();
  assert.deepEqual(rest, { location, everyHours: 24, keep: 14, failing: null, continuous: null });
  const [{ name, bytes, isEncrypted, check }] = backups;
  assert.deepEqual([name, bytes, isEncrypted, check], [result.name, result.bytes, false, null]);

  const download = await service.app.inject({
    url: `${path}/archive`,
    headers: { cookie: operator.cookie, 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(download.statusCode, 200);
  assert.equal(download.rawPayload.length, result.bytes);
  assert.match(String(download.headers['content-disposition']), new RegExp(`filename="${result.name}"`));

  const finished = async () => {
    const started = await service.call(`POST ${path}/check`, { by: operator });
    assert.deepEqual([started.status, started.body.check.isValid], [200, null]);
    let done = started.body.check;
    await until(async () => {
      done = (await listed()).backups[0].check;
      return done.finishedAt !== null;
    });
    return done;
  };
  assert.deepEqual([(await finished()).isValid, (await finished()).damaged], [true, []]);
  truncateSync(join(location, 'backups', result.name), Math.floor(result.bytes / 2));
  const damaged = await finished();
  assert.equal(damaged.isValid, false);
  assert.match(damaged.damaged[0], /damaged or incomplete/);
});

test('unknown and encrypted backups are refused', async () => {
  const unknown = '/operator/backups/headwater-20200101T000000000Z.tar.zst';
  for (const route of [`POST ${unknown}/check`, `GET ${unknown}/archive`, 'GET /operator/backups/..%2Fx/archive']) {
    const refused = await service.call(route, { by: operator });
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found'], route);
  }
  mkdirSync(join(location, 'backups'), { recursive: true });
  const encrypted = 'headwater-20300101T000000000Z.tar.zst.age';
  writeFileSync(join(location, 'backups', encrypted), 'x');
  const refused = await service.call(`POST /operator/backups/${encrypted}/check`, { by: operator });
  assert.deepEqual([refused.status, refused.body.code], [400, 'backup_encrypted']);
});

test('operators see cells with their load, close them, and move accounts; others do not', async () => {
  const owner = await createTestUser(service, account, 'owner');
  const by = operator;
  const move = { account: account.id, cell: 'east' };
  const routes: [string, unknown?][] = [
    ['GET /operator/cells'],
    ['PATCH /operator/cells/main', { isOpen: false }],
    ['GET /operator/cells/main/accounts'],
    ['POST /operator/moves', move],
    [`POST /operator/moves/${account.id}/cancel`],
  ];
  for (const [route, body] of routes) {
    const refused = await service.call(route, { by: owner, body });
    assert.deepEqual([refused.status, refused.body.code], [400, 'operator_required'], route);
    const byKey = await service.call(route, { as: account, body, headers: { origin: 'http://headwater.test' } });
    assert.deepEqual([byKey.status, byKey.body.code], [401, 'session_required'], route);
  }

  const unknown = await service.call('POST /operator/moves', { by, body: move });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
  await addCell(service.control, service.secret, 'east', await testDatabaseUrl('template1'), Date.now());
  for (const worker of service.workers) worker.start();
  await until(() => service.cells.ready('east') !== undefined);
  await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'x' } });
  const { body } = await service.call('GET /operator/cells', { by });
  const cellOf = (name: string) => body.cells.find((cell: { name: string }) => cell.name === name);
  assert.deepEqual([cellOf('east').status, cellOf('east').isOpen, cellOf('east').accounts], ['ok', true, 0]);
  assert.ok(cellOf('main').bytes > 1_000_000 && cellOf('main').accounts > 0);
  assert.ok(cellOf('east').lagSeconds === 0 && cellOf('east').queued === 0 && cellOf('east').recordedPerSecond === 0);

  const closed = await service.call('PATCH /operator/cells/east', { by, body: { isOpen: false } });
  assert.equal(closed.body.cells.find((cell: { name: string }) => cell.name === 'east').isOpen, false);
  const { accounts } = (await service.call(`GET /operator/cells/main/accounts?q=${account.id}`, { by })).body;
  assert.deepEqual([accounts.length, accounts[0].id, accounts[0].recorded >= 1], [1, account.id, true]);

  const started = await service.call('POST /operator/moves', { by, body: move });
  assert.deepEqual([started.status, started.body.to, started.body.name], [200, 'east', accounts[0].name]);
  const elsewhere = await service.call('POST /operator/moves', { by, body: { ...move, cell: 'main' } });
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'move_unfinished']);
  const canceled = await service.call(`POST /operator/moves/${account.id}/cancel`, { by });
  assert.deepEqual([canceled.status, canceled.body.state], [200, 'canceling']);
  await until(async () => (await service.call('GET /operator/cells', { by })).body.moves.length === 0);
  const there = await service.call('POST /operator/moves', { by, body: { ...move, cell: 'main' } });
  assert.deepEqual([there.status, there.body.code], [400, 'account_in_cell']);

  // What Prometheus reads of each cell.
  const { body: metrics } = await service.call('GET /metrics');
  for (const name of ['size_bytes', 'lag_seconds', 'queued', 'recorded', 'connections', 'waiting', 'up']) {
    assert.match(metrics, new RegExp(`^headwater_cell_${name}{cell="east"} `, 'm'));
  }
  assert.match(metrics, /^headwater_cell_requests_total\{method="POST",cell="\w+",status="200"\} /m);
});
