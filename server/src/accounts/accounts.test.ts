import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { createLog } from '../shared/log.ts';
import { Listener } from '../shared/postgres/listener.ts';
import { createKeyText, typeOfKey } from './key-format.ts';
import { KeyVerifier } from './key-verifier.ts';
import { createKey, listAccountKeys, revokeAccountKey } from './manage-keys.ts';

const service = await testService();
const log = createLog('silent');

test('a key contains its type and a checksum that a mistyped character breaks', () => {
  for (const kind of ['secret', 'publishable', 'postback'] as const) {
    const key = createKeyText(kind);
    assert.match(key, /^hw_(sk|pk|pb)_[0-9A-Za-z]{38}$/);
    assert.equal(typeOfKey(key), kind);
    const at = 10;
    const mistyped = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
    assert.equal(typeOfKey(mistyped), undefined);
    assert.equal(typeOfKey(key.slice(0, -1)), undefined);
    assert.equal(typeOfKey(` ${key}`), undefined);
  }
});

test('a token is sent as `x-api-key: Bearer …` or `Authorization: Bearer …`, in any case', async () => {
  const account = await service.newAccount();
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    for (const name of ['x-api-key', 'authorization']) {
      const headers = { [name]: `${scheme} ${account.token}` };
      assert.equal((await service.call('GET /v1/limits', { headers })).status, 200, `${name}: ${scheme}`);
    }
  }
});

test('every wrong token gets the same 401; a missing prefix and a wrong type are named', async () => {
  const account = await service.newAccount();
  const same = 'The API token is missing, malformed or revoked.';
  const wrong: [headers: Record<string, string>, detail: string][] = [
    [{}, same],
    [{ 'x-api-key': 'Bearer ' }, same],
    [{ 'x-api-key': `Bearer ${account.token.slice(0, -1)}` }, same],
    [{ 'x-api-key': `Bearer ${createKeyText('secret')}` }, same],
    [{ authorization: 'Basic eDp5' }, same],
    [{ 'x-api-key': account.token }, 'The API token must be sent as `Bearer <token>`.'],
    [{ 'x-api-key': `Bearer ${account.apiKey}` }, 'This operation requires a secret API token (hw_sk_…).'],
    [
      { 'x-api-key': account.token, authorization: `Bearer ${createKeyText('secret')}` },
      'The API token must be sent as `Bearer <token>`.',
    ],
  ];
  for (const [headers, detail] of wrong) {
    const answer = await service.call('GET /v1/limits', { headers });
    assert.equal(answer.status, 401);
    assert.ok(answer.headers['www-authenticate']);
    const { requestId, ...rest } = answer.body;
    assert.equal(requestId, answer.headers['x-request-id']);
    assert.deepEqual(rest, {
      type: 'urn:headwater:error:unauthorized',
      title: 'Unauthorized',
      status: 401,
      detail,
      code: 'unauthorized',
      errors: [],
    });
  }
  assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200);
  // As clients that hey-api generates send it: by each scheme of the operation.
  const headers = { authorization: `Bearer ${account.token}`, 'x-api-key': account.token };
  assert.equal((await service.call('GET /v1/limits', { headers })).status, 200);
});

test('a revoked token is refused by another process from the moment the revocation returns', async () => {
  const account = await service.newAccount();
  for (let round = 0; round < 20; round++) {
    const key = await createKey(service.control, account.id, 'secret', 'short-lived');
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 200);
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 200);
    const revoked = await revokeAccountKey(service.control, key.id);
    assert.ok(revoked.revokedAt);
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 401);
  }
  assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200);
});

test('verifying a key again needs no query, and its last use is recorded', async () => {
  const account = await service.newAccount();
  let queries = 0;
  const count = () => queries++;
  for (const pool of service.control.pools) pool.on('acquire', count);
  for (let i = 0; i < 50; i++) assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200);
  for (const pool of service.control.pools) pool.off('acquire', count);
  assert.equal(queries, 1);
  assert.equal((await listAccountKeys(service.control, account.id))[0]?.lastUsedAt, null);

  const listener = new Listener(service.control, log);
  const keys = new KeyVerifier(service.control, listener, log, () => Date.parse('2026-11-20T08:00:00.000Z'));
  assert.ok(await keys.verify(account.token));
  await keys.stop();
  assert.equal((await listAccountKeys(service.control, account.id))[0]?.lastUsedAt, '2026-11-20T08:00:00.000Z');
});

test('a process that lost its listener queries the database each time until it listens again', async () => {
  const account = await service.newAccount();
  const listener = new Listener(service.control, log);
  const keys = new KeyVerifier(service.control, listener, log);
  await listener.start();
  assert.ok(await keys.verify(account.token));
  assert.ok(keys.cached(account.token));
  const lost =
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()';
  await service.control.query(lost, ['headwater-listener']);
  await until(() => keys.cached(account.token) === undefined);
  assert.ok(await keys.verify(account.token), 'queries the database');
  await until(async () => (await keys.verify(account.token)) !== undefined && keys.cached(account.token) !== undefined);
  await listener.close();
});

test('a process that silently receives nothing trusts its cache no longer than the revocation waits', async () => {
  const account = await service.newAccount();
  const listener = new Listener(service.control, log);
  const keys = new KeyVerifier(service.control, listener, log);
  await listener.start();
  const key = await createKey(service.control, account.id, 'secret', 'x');
  assert.ok(await keys.verify(key.token));
  assert.ok(keys.cached(key.token));
  const { rows } = await service.control.query(
    'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
    ['headwater-listener'],
  );
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  try {
    await revokeAccountKey(service.control, key.id);
    assert.equal(keys.cached(key.token), undefined);
    assert.equal(await keys.verify(key.token), undefined);
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 401);
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
  }
  await listener.close();
});

test('a key works for the routes of its type and for no others', async () => {
  const account = await service.newAccount();
  const postback = await createKey(service.control, account.id, 'postback', 'network');
  for (const key of [account.apiKey, postback.token]) {
    assert.equal((await service.call('GET /v1/limits', { as: key })).status, 401);
    assert.equal((await service.call(`GET /v1/limits?key=${key}`)).status, 401);
  }
  const event = (api_key: unknown, headers: Record<string, string> = {}) =>
    service.call('POST /v1/events', { body: { event: 'x', api_key }, headers });
  const browser = { origin: 'https://shop.example' };
  assert.equal((await event(account.apiKey, browser)).status, 200);
  assert.equal((await event(account.apiKey)).status, 200);
  assert.equal((await event(account.token)).status, 200);
  const leaked = await event(account.token, browser);
  assert.equal(leaked.status, 401);
  assert.match(leaked.body.detail, /secret token must not be used in a browser/);
  assert.equal((await event(postback.token)).status, 401);
  assert.equal((await event(7)).status, 401);
  const report = (key: string) => service.call(`GET /v1/analytics/report-conversion?gclid=x&key=${key}`);
  assert.equal((await report(postback.token)).status, 200);
  assert.equal((await report(account.apiKey)).status, 401);
  assert.equal((await report(account.token)).status, 401, 'a secret token must not be in a URL');
  const posted = { as: postback.token, body: { gclid: 'x' } };
  assert.equal((await service.call('POST /v1/analytics/report-conversion', posted)).status, 401);
});
