import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { addressFilter, normalizeAddress } from '../../shared/addresses.ts';
import { normalizeOrigin, originFilter } from './allowed-origins.ts';

const service = await testService({ TRUST_PROXY: '127.0.0.1' });

const change = (account: Account, body: unknown) => service.call('PATCH /v1/tracking/settings', { as: account, body });
const send = (account: Account, headers: Record<string, string> = {}, key = account.apiKey) =>
  service.call('POST /v1/events', { body: { api_key: key, event: 'x' }, headers });
const rows = async (sql: string, ...values: unknown[]) => (await service.db.query(sql, values)).rows;

test('settings are empty until they are changed, one member at a time, and belong to one account', async () => {
  const [mine, others] = [await service.newAccount(), await service.newAccount()];
  const none = { allowedOrigins: [], excludedAddresses: [], retentionDays: null, firstPartyId: false, updatedAt: null };
  assert.deepEqual((await service.call('GET /v1/tracking/settings', { as: mine })).body, none);
  const first = await change(mine, {
    allowedOrigins: [
      'HTTPS://Shop.Example:443/',
      'https://*.Shop.example',
      'http://localhost:5173',
      'https://shop.example',
    ],
    excludedAddresses: ['203.0.113.7', '10.0.0.0/8', '2001:DB8:0::/32', '::1'],
  });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(first.body, {
    allowedOrigins: ['https://shop.example', 'https://*.shop.example', 'http://localhost:5173'],
    excludedAddresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1'],
    retentionDays: null,
    firstPartyId: false,
    updatedAt: new Date(service.clock.now).toISOString(),
  });
  const second = await change(mine, { retentionDays: 90, excludedAddresses: [] });
  assert.deepEqual(second.body, { ...first.body, excludedAddresses: [], retentionDays: 90 });
  assert.deepEqual((await service.call('GET /v1/tracking/settings', { as: mine })).body, second.body);
  assert.equal((await change(mine, { retentionDays: null })).body.retentionDays, null);
  assert.deepEqual((await service.call('GET /v1/tracking/settings', { as: others })).body, none);
});

test('every fault of a change is reported at once, and nothing is changed', async () => {
  const account = await service.newAccount();
  const { status, body } = await change(account, {
    allowedOrigins: ['https://ok.example', 'shop.example', 'https://a.example/path', 5],
    excludedAddresses: ['300.1.1.1', '10.0.0.0/33'],
    retentionDays: 0,
    unknown: true,
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`).sort(),
    [
      '/allowedOrigins/1 origin_invalid',
      '/allowedOrigins/2 origin_invalid',
      '/allowedOrigins/3 type',
      '/excludedAddresses/0 address_invalid',
      '/excludedAddresses/1 address_invalid',
      '/retentionDays out_of_range',
      '/unknown unknown_property',
    ],
  );
  assert.equal((await service.call('GET /v1/tracking/settings', { as: account })).body.updatedAt, null);
  for (const wrong of [[], 'x', null]) assert.equal((await change(account, wrong)).status, 400);
  assert.equal((await change(account, { retentionDays: 1.5 })).status, 400);
});

test('settings require the secret token and have no CORS', async () => {
  const account = await service.newAccount();
  for (const method of ['GET', 'PATCH']) {
    const body = method === 'PATCH' ? {} : undefined;
    assert.equal((await service.call(`${method} /v1/tracking/settings`, { body })).status, 401);
    assert.equal((await service.call(`${method} /v1/tracking/settings`, { as: account.apiKey, body })).status, 401);
    const good = await service.call(`${method} /v1/tracking/settings`, { as: account, body });
    assert.equal(good.status, 200);
    assert.equal(good.headers['access-control-allow-origin'], undefined);
  }
});

test('a page of an origin that is not allowed is 401 before any other fault; servers and CORS are not affected', async () => {
  const account = await service.newAccount();
  const origin = (value: string) => ({ origin: value });
  assert.equal((await send(account, origin('https://any.example'))).status, 200);
  await change(account, { allowedOrigins: ['https://shop.example', 'https://*.shop.example'] });
  assert.equal((await send(account, origin('https://shop.example'))).status, 200);
  assert.equal((await send(account, origin('https://a.b.shop.example'))).status, 200);
  assert.equal((await send(account)).status, 200);
  assert.equal((await send(account, {}, account.token)).status, 200);
  for (const [path, body] of [
    ['/v1/events', { event: '' }],
    ['/v1/visits', { url: 'nowhere' }],
    ['/v1/batch', { items: [] }],
  ] as const) {
    const refused = await service.call(`POST ${path}`, {
      body: { api_key: account.apiKey, ...body },
      headers: origin('https://evil.example'),
    });
    assert.equal(refused.status, 401);
    assert.equal(refused.body.code, 'origin_not_allowed');
    assert.equal(refused.headers['access-control-allow-origin'], '*');
  }
  assert.equal((await send(account, origin('null'))).status, 401);
  assert.equal((await send(await service.newAccount(), origin('https://evil.example'))).status, 200);
  assert.equal((await rows('select * from events where account_id = $1', account.uuid)).length, 5);
});

test('the ingest reads settings every 5 seconds, and then applies the changes of other processes', async () => {
  const account = await service.newAccount();
  const evil = { origin: 'https://evil.example' };
  assert.equal((await send(account, evil)).status, 200);
  await rows(
    `insert into tracking_settings (account_id, allowed_origins, updated_at) values ($1, '{https://shop.example}', now())`,
    account.uuid,
  );
  service.clock.now += 4_999;
  assert.equal((await send(account, evil)).status, 200);
  service.clock.now += 1;
  assert.equal((await send(account, evil)).status, 401);
});

test('traffic from an excluded address is recorded and flagged as internal', async () => {
  const account = await service.newAccount();
  await change(account, { excludedAddresses: ['203.0.113.0/24', '2001:db8::/32'] });
  for (const [address, expected] of [
    ['203.0.113.9', true],
    ['::ffff:203.0.113.9', true],
    ['2001:db8::5', true],
    ['203.0.114.1', false],
    ['unknown', false],
  ] as const) {
    const headers = { 'x-forwarded-for': address };
    const { body } = await service.call('POST /v1/visits', {
      body: { api_key: account.apiKey, url: 'https://shop.example/' },
      headers,
    });
    const sent = await service.call('POST /v1/events', {
      body: { api_key: account.apiKey, event: 'x', properties: { sessionHash: body.sessionHash } },
      headers,
    });
    assert.equal(sent.status, 200);
    for (const [table, column] of [
      ['sessions', 'number'],
      ['visits', 'session_number'],
      ['events', 'session_number'],
    ]) {
      const found = await rows(
        `select is_internal from ${table} where account_id = $1 and ${column} = $2`,
        account.uuid,
        service.sessionIds.numberOf(body.sessionId),
      );
      assert.deepEqual(found, [{ is_internal: expected }], `${table} ${address}`);
    }
  }
});

test('an allowed origin is stored in the form that browsers send, or is invalid', () => {
  for (const [text, expected] of [
    ['https://Shop.Example', 'https://shop.example'],
    [' https://shop.example:8443/ ', 'https://shop.example:8443'],
    ['http://shop.example:80', 'http://shop.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://[::1]:3000', 'https://[::1]:3000'],
    ['https://*.shop.example:444', 'https://*.shop.example:444'],
    ['https://*.10.0.0.1', undefined],
    ['https://*', undefined],
    ['https://*.', undefined],
    ['https://a.*.example', undefined],
    ['https://shop*.example', undefined],
    ['*', undefined],
    ['null', undefined],
    ['', undefined],
    ['shop.example', undefined],
    ['ftp://shop.example', undefined],
    ['https://user@shop.example', undefined],
    ['https://shop.example/path', undefined],
    ['https://shop.example?', undefined],
    ['https://shop.example#', undefined],
    ['https://shop.example\\', undefined],
  ] as const) {
    assert.equal(normalizeOrigin(text), expected, text);
  }
  const allows = originFilter(['https://shop.example', 'https://*.shop.example', 'http://*.test:81']);
  for (const [origin, expected] of [
    ['https://shop.example', true],
    ['https://www.shop.example', true],
    ['https://a.b.shop.example', true],
    ['http://shop.example', false],
    ['https://shop.example:444', false],
    ['https://evilshop.example', false],
    ['https://.shop.example', false],
    ['https://evil.example/.shop.example', false],
    ['http://a.test:81', true],
    ['http://a.test', false],
  ] as const) {
    assert.equal(allows(origin), expected, origin);
  }
});

test('an excluded address is stored in its shortest form, or is invalid', () => {
  for (const [text, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/', undefined],
    ['10.0.0.0/08', undefined],
    ['10.0.0.0/8/8', undefined],
    ['::/129', undefined],
    ['fe80::1%eth0', undefined],
    ['10.0.0', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(normalizeAddress(text), expected, text);
  }
  const isInternal = addressFilter(['10.0.0.0/8', '2001:db8::1', '0.0.0.0/32']);
  assert.deepEqual(['10.255.0.1', '11.0.0.1', '2001:db8::1', '2001:db8::2', 'x'].map(isInternal), [
    true,
    false,
    true,
    false,
    false,
  ]);
});

test('a nullable member at fault is reported once', async () => {
  const account = await service.newAccount();
  const { body } = await service.call('PATCH /v1/tracking/settings', { as: account, body: { retentionDays: 'many' } });
  const detail = '`/retentionDays` must be an integer or null.';
  assert.deepEqual(body.errors, [{ pointer: '/retentionDays', code: 'type', detail }]);
  const webhook = { url: 'https://shop.example/hook', events: ['nothing'] };
  const named = await service.call('POST /v1/webhooks', { as: account, body: webhook });
  assert.deepEqual(
    named.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [['/events/0', 'not_allowed']],
  );
});
