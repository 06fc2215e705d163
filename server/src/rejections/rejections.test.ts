import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { createTestUser } from '../../test/users.ts';

const service = await testService();
for (const worker of service.workers) worker.start();

const listed = async (as: Awaited<ReturnType<typeof service.newAccount>>, count: number) => {
  const rows: Record<string, unknown>[] = [];
  await until(async () => {
    const { body } = await service.call('GET /v1/rejected-requests?pageSize=100', { as });
    rows.splice(0, rows.length, ...body.requests);
    return rows.length >= count;
  });
  return rows;
};
const report = '/v1/analytics/report-conversion';

test('rejected requests of every key are listed with their reason, without secrets; those of the dashboard are not', async () => {
  const account = await service.newAccount();
  const other = await service.newAccount();
  const { apiKey, token } = account;
  await service.call(`POST ${report}`, { as: account, body: { value: 5, password: 'hidden', nested: { token } } });
  await service.call('POST /v1/events', { body: { api_key: apiKey, properties: { email: 'eva@mail.example' } } });
  await service.call(`POST ${report}`, {
    as: account,
    body: [
      { gclid: 'x', value: '' },
      { gclid: 'y', value: 1 },
    ],
  });
  await service.call('GET /v1/cms/collections?pagesize=1&key=hw_pb_secret', { as: account });
  await service.call('GET /v1/leads/led_x', { as: account });
  await service.call('POST /v1/cms/collections', { by: await createTestUser(service, account), body: {} });
  await service.call('POST /v1/cms/collections', { as: 'hw_sk_wrong', body: {} });
  const rows = await listed(account, 5);
  assert.deepEqual(
    rows.map(({ method, status, code }) => `${method} ${status} ${code}`),
    [
      'GET 404 not_found',
      'GET 400 unknown_property',
      'POST 200 value_invalid',
      'POST 400 required',
      'POST 400 identifier_missing',
    ],
  );
  const [, get, item, event, missing] = rows;
  assert.match(String(get?.url), /^\/v1\/cms\/collections\?pagesize=1&key=…$/);
  assert.deepEqual(item?.body, { gclid: 'x', value: '' });
  assert.match(String(item?.fix), /not zero/);
  assert.deepEqual(event?.body, { api_key: '…', properties: { email: 'eva@mail.example' } });
  assert.deepEqual(missing?.body, { value: 5, password: '…', nested: { token: '…' } });
  assert.ok(!JSON.stringify(rows).includes(apiKey) && !JSON.stringify(rows).includes(token));
  assert.deepEqual((await service.call('GET /v1/rejected-requests', { as: other })).body.requests, []);

  // Erasing any lead removes what rows could contain of it.
  await service.call('POST /v1/leads/erase', { as: account, body: { email: 'eva@mail.example' } });
  await until(async () =>
    (await listed(account, 5)).every(({ body, url }) => body === null && !String(url).includes('?')),
  );
  assert.equal((await service.call('DELETE /v1/rejected-requests', { as: account })).status, 200);
  assert.deepEqual(await listed(account, 0), []);
});

test('secrets are redacted by their form, whatever the parameter or member is called', async () => {
  const account = await service.newAccount();
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
  const secrets = [account.token, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', jwt, '4111 1111 1111 1111'];
  for (const secret of secrets) {
    for (const text of [secret, encodeURIComponent(secret), secret.replaceAll(' ', '+').replaceAll('_', '%5F')]) {
      await service.call(`GET /v1/cms/collections?reference=${text}&x=1`, { as: account });
    }
    const body = { value: 5, note: `x ${secret}`, [secret]: 1, deep: [{ card: 4111111111111111 }] };
    await service.call(`POST ${report}`, { as: account, body });
    await service.call('GET /v1/leads', { as: account, headers: { 'x-any': secret } });
  }
  const header = encodeURIComponent('Authorization: Bearer abc123def456');
  await service.call(`GET /v1/cms/collections?header=${header}`, { as: account });
  const rows = await listed(account, 4 * 4 + 1);
  const text = JSON.stringify(rows);
  for (const secret of [...secrets, encodeURIComponent(secrets[3] ?? ''), '4111111111111111', 'abc123def456']) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.ok(!decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/gi, '')).includes(account.token));
  assert.ok(text.includes('reference=[redacted]&x=1'));
});

test('texts that PostgreSQL does not store lose only those characters', async () => {
  const account = await service.newAccount();
  const body = '{"value":"\\u0000a\\ud800 \\\\u0000","\\u0000":1}';
  const headers = { 'content-type': 'application/json' };
  await service.call(`POST ${report}`, { as: account, body, headers });
  await service.call('GET /v1/leads?q=%00&%ed%a0%80=1', { as: account });
  await service.call(`POST ${report}`, { as: account, body: {} });
  const rows = await listed(account, 2);
  assert.ok(rows.length >= 2, JSON.stringify(rows));
});

test('of a flood, a sample is stored, and each row is small', async () => {
  const account = await service.newAccount();
  const items = Array.from({ length: 1_000 }, () => ({
    gclid: '',
    extra: { text: 'x'.repeat(1_000), '\u{0}': '\u{0}' },
  }));
  for (let i = 0; i < 40; i++) await service.call(`POST ${report}`, { as: account, body: { value: i } });
  await service.call(`POST ${report}`, {
    as: account,
    body: items.map(({ gclid, extra }) => ({ gclid, extra: { text: extra.text } })),
  });
  assert.equal((await listed(account, 20)).length, 20);
  service.clock.now += 10_000;
  await service.call(`POST ${report}`, { as: account, body: { events: items.map(({ extra }) => extra.text) } });
  const [latest] = await listed(account, 21);
  assert.equal(latest?.skipped, 20 + 1_000);
  assert.ok(JSON.stringify(latest?.body).length < 3_000);
});

test('rows are deleted after seven days', async () => {
  const account = await service.newAccount();
  await service.call(`POST ${report}`, { as: account, body: {} });
  await listed(account, 1);
  const { deleteRejectionsBefore } = await import('./queries.ts');
  const { firstUuidAt } = await import('../shared/ids.ts');
  await deleteRejectionsBefore(service.db, { end: firstUuidAt(service.clock.now - 7 * 86_400_000) });
  assert.equal((await listed(account, 1)).length, 1);
  await deleteRejectionsBefore(service.db, { end: firstUuidAt(service.clock.now + 60_000) });
  assert.equal((await listed(account, 0)).length, 0);
});
