import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';

const service = await testService();
const MINUTE = 60_000;
const send = (account: Account, body: object, headers: Record<string, string> = {}) =>
  service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'x', ...body }, headers });
const rows = async (sql: string, ...values: unknown[]) => (await service.db.query(sql, values)).rows;

test('an event is never rejected because of a property or member that it cannot use', async () => {
  const account = await service.newAccount();
  const properties = [
    { email: '' },
    { email: 'nobody' },
    { email: 5 },
    { email: null },
    { email: `${'x'.repeat(320)}@shop.example` },
    { value: null },
    { value: 'free' },
    { value: [1] },
    { value: true },
    { value: '' },
    { event_id: 7, timestamp: 'yesterday', funnel_id: 3 },
    { event_id: '', timestamp: { at: 1 } },
    { gclid: {}, hash: true, sessionId: [1], fbclid: 'x'.repeat(3000) },
    { currency: 978 },
  ];
  for (const each of properties) {
    assert.equal((await send(account, { properties: each })).status, 200, JSON.stringify(each));
  }
  const stored = await rows('select properties from events where account_id = $1 order by id', account.uuid);
  assert.deepEqual(
    stored.map((row) => row.properties),
    properties,
    'properties are stored as sent',
  );
  for (const table of ['leads', 'conversions']) {
    assert.deepEqual(await rows(`select * from ${table} where account_id = $1`, account.uuid), [], table);
  }
  for (const members of [{ id: 'x'.repeat(65) }, { id: {} }, { occurredAt: 'x' }, { sentAt: 4 }, { unknown: 1 }]) {
    assert.equal((await send(account, members)).status, 200, JSON.stringify(members));
  }
});

test('properties of null, an empty string or an empty array mean none; any other non-object is 400', async () => {
  const account = await service.newAccount();
  for (const properties of [null, '', []]) assert.equal((await send(account, { properties })).status, 200);
  for (const properties of [5, 'x', true, [1]]) {
    const { status, body } = await send(account, { properties });
    assert.equal(status, 400);
    assert.equal(body.errors[0].pointer, '/properties');
  }
  for (const event of [undefined, null, '', 'x'.repeat(256), 5]) {
    assert.equal((await send(account, { event })).status, 400, String(event));
  }
  const items = [{ event: { event: 'x', properties: [] } }, { event: { event: 'x', properties: 5 } }];
  const { body } = await service.call('POST /v1/batch', { body: { api_key: account.apiKey, items } });
  assert.deepEqual(
    body.results.map(({ success }: { success: boolean }) => success),
    [true, false],
  );
});

test('properties.event_id and properties.timestamp are ordinary metadata', async () => {
  const account = await service.newAccount();
  const timestamp = '2020-01-01T00:00:00Z';
  for (const email of ['a@shop.example', 'b@shop.example']) {
    await send(account, { properties: { event_id: 'signup', timestamp, email } });
  }
  const stored = await rows('select * from events where account_id = $1', account.uuid);
  assert.equal(stored.length, 2);
  assert.equal(new Set(stored.map((row) => row.lead_id)).size, 2);
  for (const row of stored) {
    assert.equal(row.client_event_id, null);
    assert.equal(row.occurred_at.getTime(), row.received_at.getTime());
  }
});

test('top-level occurredAt dates an event, corrected by sentAt', async () => {
  const account = await service.newAccount();
  const now = service.clock.now;
  await send(account, { occurredAt: isoTime(now - 90 * MINUTE) });
  await send(account, { occurredAt: isoTime(now + 100 * MINUTE), sentAt: isoTime(now + 130 * MINUTE) });
  await send(account, { occurredAt: isoTime(now + 100 * MINUTE) });
  const stored = await rows('select occurred_at from events where account_id = $1 order by id', account.uuid);
  assert.deepEqual(
    stored.map((row) => row.occurred_at.getTime() - now),
    [-90 * MINUTE, -30 * MINUTE, 0],
  );
});

test('ids and idempotency keys of pages and of servers are separate', async () => {
  const account = await service.newAccount();
  const page = await send(account, { id: 'order-1' });
  const server = await send(account, { id: 'order-1', api_key: account.token });
  assert.notEqual(server.body.event_id, page.body.event_id);
  assert.equal((await send(account, { id: 'order-1' })).body.event_id, page.body.event_id);
  assert.equal((await send(account, { id: 'order-1', api_key: account.token })).body.event_id, server.body.event_id);

  const key = { 'idempotency-key': 'daily-import' };
  assert.equal((await send(account, { event: 'forged' }, key)).status, 200);
  const first = await send(account, { event: 'real', api_key: account.token }, key);
  assert.equal(first.status, 200);
  const again = await send(account, { event: 'real', api_key: account.token }, key);
  assert.equal(again.body.event_id, first.body.event_id);
  assert.equal((await send(account, { event: 'forged', properties: {} }, key)).body.code, 'idempotency_key_reused');
});

test('a page cannot claim a known click id by backdating a visit; a server can date its visits', async () => {
  const account = await service.newAccount();
  const visit = (key: string, minutes: number) =>
    service.call('POST /v1/visits', {
      body: {
        api_key: key,
        url: 'https://shop.example/?gclid=shared',
        occurredAt: isoTime(service.clock.now - minutes * MINUTE),
      },
    });
  const real = (await visit(account.apiKey, 0)).body;
  service.clock.now += 1_000;
  await visit(account.apiKey, 600);
  const report = async () => {
    const url = 'POST /v1/analytics/report-conversion';
    const { body } = await service.call(url, { as: account, body: { gclid: 'shared' } });
    return (await service.call(`GET /v1/conversions/${body._id}`, { as: account })).body.sessionId;
  };
  assert.equal(await report(), real.sessionId);
  const dated = (await visit(account.token, 300)).body;
  assert.equal(await report(), dated.sessionId);
});

test('a form body is accepted, with properties in brackets or as JSON', async () => {
  const account = await service.newAccount();
  const post = (form: Record<string, string>) =>
    service.call('POST /v1/events', {
      body: String(new URLSearchParams({ api_key: account.apiKey, event: 'form', ...form })),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    });
  assert.equal((await post({ 'properties[email]': 'ann@shop.example', 'properties[value]': '49.90' })).status, 200);
  assert.equal((await post({ properties: '{"value":5,"nested":{"a":1}}' })).status, 200);
  assert.equal((await post({ properties: '' })).status, 200);
  assert.equal((await post({ event: '' })).status, 400);
  const stored = await rows('select properties from events where account_id = $1 order by id', account.uuid);
  assert.deepEqual(
    stored.map((row) => row.properties),
    [{ email: 'ann@shop.example', value: '49.90' }, { value: 5, nested: { a: 1 } }, {}],
  );
  const values = await rows('select value from conversions where account_id = $1 order by id', account.uuid);
  assert.deepEqual(values, [{ value: '49.90' }, { value: '5' }]);
});

test('a secret token is exempt from the limit for an address', async () => {
  const limited = await testService({ RATE_LIMIT: 'on', RATE_LIMIT_INGEST_ADDRESS: '1:3' });
  const account = await limited.newAccount();
  const post = (api_key: string) => limited.call('POST /v1/events', { body: { api_key, event: 'x' } });
  for (let i = 0; i < 20; i++) assert.equal((await post(account.token)).status, 200);
  for (let i = 0; i < 3; i++) assert.equal((await post(account.apiKey)).status, 200);
  assert.equal((await post(account.apiKey)).status, 429);
});
