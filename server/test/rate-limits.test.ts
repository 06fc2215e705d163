import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../src/shared/http/rate-limit.ts';
import { type Account, testService } from './harness.ts';

const limits = { RATE_LIMIT: 'on', RATE_LIMIT_READ: '2:3', RATE_LIMIT_WRITE: '1:1', RATE_LIMIT_INGEST: '5:10' };
const service = await testService({ ...limits, RATE_LIMIT_INGEST_ADDRESS: '1:4' });
const proxied = await testService({ ...limits, RATE_LIMIT_INGEST_ADDRESS: '1:1', TRUST_PROXY: '10.0.0.0/8' });

const read = (as: Account | string) => service.call('GET /v1/limits', { as });

/** The statuses of `count` events from one address. */
async function events(at: typeof service, account: Account, count: number, from: string, forwardedFor?: string) {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const { statusCode } = await at.app.inject({
      method: 'POST',
      url: '/v1/events',
      remoteAddress: from,
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      payload: { event: 'x', api_key: account.apiKey },
    });
    statuses.push(statusCode);
  }
  return statuses;
}

test('a key may use its burst at once, then gets 429 with Retry-After, and recovers over time', async () => {
  const account = await service.newAccount();
  for (const remaining of [2, 1, 0]) {
    const { status, headers } = await read(account);
    assert.equal(status, 200);
    assert.equal(headers['ratelimit-policy'], '"read";q=3;w=2');
    assert.match(String(headers.ratelimit), new RegExp(`^"read";r=${remaining};t=[12]$`));
  }
  const refused = await read(account);
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.headers.ratelimit, '"read";r=0;t=1');
  service.clock.now += 499;
  assert.equal((await read(account)).status, 429);
  service.clock.now += 1;
  assert.equal((await read(account)).status, 200);
  assert.equal((await read(account)).status, 429);
  service.clock.now += 60_000;
  for (const status of [200, 200, 200, 429]) assert.equal((await read(account)).status, status);
});

test('what repeats refused requests at once gets its responses at a rate, and keeps nobody waiting', async () => {
  const [hasty, other] = [await service.newAccount(), await service.newAccount()];
  const start = performance.now();
  const answers = Promise.all(Array.from({ length: 90 }, () => read(hasty)));
  assert.equal((await read(other)).status, 200);
  const statuses = (await answers).map(({ status }) => status);
  assert.equal(statuses.filter((each) => each === 429).length, 87);
  // Time that has passed at least: 32 responses at once, and 50 a second.
  assert(performance.now() - start >= (87 - 33) * 20 - 1);
});

test('each key and each type of request has its own budget', async () => {
  const [a, b] = [await service.newAccount(), await service.newAccount()];
  for (const status of [200, 200, 200, 429]) assert.equal((await read(a)).status, status);
  assert.equal((await read(b)).status, 200);
  const body = { name: 'x' };
  assert.equal((await service.call('POST /v1/cms/collections', { as: a, body })).status, 200);
  const second = await service.call('POST /v1/cms/collections', { as: a, body });
  assert.equal(second.status, 429);
  assert.match(String(second.headers['ratelimit-policy']), /^"write"/);
  const { body: list } = await service.call('GET /v1/cms/collections', { as: b });
  assert.deepEqual(list.collections, [], 'a refused request does nothing');
});

test('an invalid token uses no budget and does not bypass a limit', async () => {
  const account = await service.newAccount();
  for (let i = 0; i < 5; i++) assert.equal((await read(`${account.token}x`)).status, 401);
  assert.equal((await read(account)).headers['ratelimit-policy'], '"read";q=3;w=2');
});

test('an address that sends too much gets 429 and does not affect others with the same key', async () => {
  const account = await service.newAccount();
  assert.deepEqual(await events(service, account, 6, '192.0.2.1'), [200, 200, 200, 200, 429, 429]);
  assert.deepEqual(await events(service, account, 4, '192.0.2.2'), [200, 200, 200, 200]);
  assert.deepEqual(
    await events(service, account, 3, '2001:db8:1:2:3::1'),
    [200, 200, 429],
    'the key’s own budget ends',
  );
});

test('X-Forwarded-For is only accepted from a trusted proxy', async () => {
  const direct = await service.newAccount();
  await events(service, direct, 4, '192.0.2.50', '198.51.100.1');
  assert.deepEqual(await events(service, direct, 1, '192.0.2.50', '198.51.100.2'), [429]);

  const account = await proxied.newAccount();
  assert.deepEqual(await events(proxied, account, 2, '10.1.2.3', '198.51.100.1'), [200, 429]);
  assert.deepEqual(await events(proxied, account, 1, '10.1.2.3', '198.51.100.2'), [200]);
  assert.deepEqual(await events(proxied, account, 1, '10.9.9.9', '198.51.100.2'), [429]);
  assert.deepEqual(await events(proxied, account, 1, '10.1.2.3', '203.0.113.9, 198.51.100.3'), [200]);
  assert.deepEqual(await events(proxied, account, 1, '10.1.2.3', '203.0.113.8, 198.51.100.3'), [429], 'the last hop');
  assert.deepEqual(await events(proxied, account, 2, '192.0.2.9', '198.51.100.4'), [200, 429], 'no proxy of ours');
});

test('addresses are limited by IPv4 address or IPv6 network', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0');
  assert.equal(networkOf('::1'), '0:0:0:0');
});

test('RATE_LIMIT=off: no limits, no headers', async () => {
  const unlimited = await testService({ RATE_LIMIT: 'off', RATE_LIMIT_READ: '1:1' });
  const account = await unlimited.newAccount();
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await unlimited.call('GET /v1/limits', { as: account });
    assert.deepEqual([status, headers.ratelimit, headers['ratelimit-policy']], [200, undefined, undefined]);
  }
});

test('refused keys are limited per address, before the bodies that carry them are read', async () => {
  const account = await service.newAccount();
  const from = (remoteAddress: string, api_key: string) =>
    service.app.inject({ method: 'POST', url: '/v1/events', remoteAddress, payload: { event: 'x', api_key } });
  const statuses: number[] = [];
  for (let i = 0; i < 110; i++) statuses.push((await from('198.51.100.7', 'hw_pk_wrong')).statusCode);
  assert.deepEqual([...new Set(statuses)], [401, 429]);
  assert.ok((await from('198.51.100.7', account.apiKey)).headers['retry-after']);
  assert.equal((await from('198.51.100.8', account.apiKey)).statusCode, 200);
  service.clock.now += 60_000;
  assert.equal((await from('198.51.100.7', account.apiKey)).statusCode, 200);
});

test('a secret token is exempt from the limit per address', async () => {
  const account = await service.newAccount();
  for (let i = 0; i < 8; i++) {
    const payload = { event: 'x', api_key: account.token };
    const { statusCode } = await service.app.inject({
      method: 'POST',
      url: '/v1/events',
      remoteAddress: '198.51.100.9',
      payload,
    });
    assert.equal(statusCode, 200);
  }
});
